package io.tidemark.authentication;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/**
 * Reads YAML that decides about access. Repeated members and aliases are refused: of the former
 * only the last one would count, and the parser reads an alias as the anchor's name.
 */
public final class StrictYaml {
    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private StrictYaml() {}

    /**
     * The only document.
     *
     * @throws IOException when it is not YAML, or there are several
     * @throws IllegalArgumentException when it has an alias; the message is a sentence
     */
    public static JsonNode document(byte[] yaml) throws IOException {
        refuseAliases(yaml);
        return YAML.readTree(yaml);
    }

    /**
     * All documents.
     *
     * @throws IOException when one of them is not YAML
     * @throws IllegalArgumentException when one has an alias; the message is a sentence
     */
    public static MappingIterator<JsonNode> documents(byte[] yaml) throws IOException {
        refuseAliases(yaml);
        return YAML.readerFor(JsonNode.class).readValues(yaml);
    }

    private static void refuseAliases(byte[] yaml) throws IOException {
        try (YAMLParser parser = YAML.getFactory().createParser(yaml)) {
            while (parser.nextToken() != null) {
                if (parser.isCurrentAlias()) {
                    throw new IllegalArgumentException(
                            "line %d has a YAML alias, which is not supported"
                                    .formatted(parser.currentLocation().getLineNr()));
                }
            }
        }
    }
}
