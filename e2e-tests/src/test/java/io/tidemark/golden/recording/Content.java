package io.tidemark.golden.recording;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The format of a recorded answer's body. */
public sealed interface Content {
    /**
     * JSON on one line.
     *
     * @param newline whether a line end follows it
     */
    record Json(JsonNode value, boolean newline) implements Content {}

    /** Anything readable, JSON over many lines too. */
    record Text(String value) implements Content {}

    /** YAML, compared by its content and not by its format. */
    record Yaml(JsonNode value) implements Content {}

    /** Protobuf, compared by what it says. */
    record Protobuf(JsonNode value) implements Content {}

    /** Bytes of a binary format. */
    record Binary(byte[] value) implements Content {}

    /** A watch's events, one on each line. */
    record Events(List<JsonNode> values) implements Content {
        public Events {
            values = List.copyOf(values);
        }
    }

    /** Its name in reports and in selectors. */
    default String shown() {
        return switch (this) {
            case Json json -> json.value.toString();
            case Text text -> text.value;
            case Yaml yaml -> yaml.value.toString();
            case Protobuf protobuf -> protobuf.value.toString();
            case Events events ->
                    String.join("\n", events.values.stream().map(JsonNode::toString).toList());
            case Binary binary -> binary.value.length + " bytes";
        };
    }
}
