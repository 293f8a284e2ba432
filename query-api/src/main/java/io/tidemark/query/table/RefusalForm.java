package io.tidemark.query.table;

import java.util.List;

/** How the Status of a refusal is written: what the request accepts decides that, too. */
public enum RefusalForm {
    /** One line, ending with a line feed. */
    COMPACT("application/json"),
    /** Indented, without a line feed at its end: also when the request accepts nothing plain. */
    INDENTED("application/json"),
    YAML("application/yaml");

    private final String contentType;

    RefusalForm(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /**
     * @param accept the header, empty when absent
     * @param pretty whether the request asks for indented JSON elsewhere than in the header
     */
    public static RefusalForm of(String accept, boolean pretty) {
        for (AcceptHeader.Wish wish : AcceptHeader.parse(accept)) {
            if (!List.of("as", "g", "v").stream().allMatch(p -> wish.parameter(p).isEmpty())) {
                continue;
            }
            if (wish.allows("application/json")) {
                return pretty || wish.parameter("pretty").equals("1") ? INDENTED : COMPACT;
            }
            if (wish.allows("application/yaml")) {
                return YAML;
            }
        }
        return INDENTED;
    }

    /**
     * @param json one compact JSON document, without a line feed
     */
    public byte[] write(byte[] json) {
        return switch (this) {
            case COMPACT -> GoJson.joined(json, GoJson.LINE_FEED);
            case INDENTED -> JsonIndenter.indented(json);
            case YAML -> YamlWriter.document(json);
        };
    }
}
