package io.tidemark.golden.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

/** Reads YAML as the equivalent JSON document. */
public final class Yaml {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private Yaml() {}

    /** The text itself where it is no YAML. */
    public static JsonNode parse(String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException _) {
            return TextNode.valueOf(text);
        }
    }
}
