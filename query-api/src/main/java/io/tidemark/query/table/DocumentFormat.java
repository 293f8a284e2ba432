package io.tidemark.query.table;

import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.status.StatusProtobuf;
import io.tidemark.serving.status.StatusWriter;
import java.util.List;

/** How the Status of a refusal is written: what the request accepts decides that, too. */
public enum DocumentFormat {
    /** One line, ending with a line feed. */
    COMPACT("application/json"),
    /** Indented, without a line feed at its end: also when the request accepts nothing plain. */
    INDENTED("application/json"),
    YAML("application/yaml"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String contentType;

    DocumentFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /**
     * The form of a Status.
     *
     * @param accept the header, empty when absent
     * @param pretty whether the request asks for indented JSON elsewhere than in the header
     */
    public static DocumentFormat ofStatus(String accept, boolean pretty) {
        return first(accept, pretty, List.of(COMPACT, YAML, PROTOBUF));
    }

    /** As {@link #ofStatus}, for documents that exist as JSON only. */
    public static DocumentFormat of(String accept, boolean pretty) {
        return first(accept, pretty, List.of(COMPACT, YAML));
    }

    private static DocumentFormat first(String accept, boolean pretty, List<DocumentFormat> forms) {
        for (AcceptHeader.MediaRange wish : AcceptHeader.parse(accept)) {
            for (DocumentFormat form : forms) {
                // A Status has no versions, and no other forms of itself.
                if (wish.transforms()
                        || !wish.allows(form.contentType)
                        || !wish.permits(form.contentType, List.of())) {
                    continue;
                }
                boolean indented = pretty || wish.parameter("pretty").equals("1");
                return form == COMPACT && indented ? INDENTED : form;
            }
        }
        return INDENTED;
    }

    /** One document, as the body of the answer. */
    public byte[] write(FailureStatus refusal) {
        return this == PROTOBUF
                ? StatusProtobuf.write(refusal)
                : write(StatusWriter.write(refusal));
    }

    /**
     * Lays out any document. There is no way from JSON to protobuf: that form leaves it as it is.
     *
     * @param json one compact JSON document, without a line feed
     */
    public byte[] write(byte[] json) {
        return switch (this) {
            case COMPACT -> GoJson.joined(json, GoJson.LINE_FEED);
            case INDENTED -> JsonIndenter.indented(json);
            case YAML -> YamlWriter.document(json);
            case PROTOBUF -> json;
        };
    }
}
