package io.tidemark.query.representation;

import io.tidemark.json.JsonIndenter;
import io.tidemark.query.json.GoJson;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.status.StatusProtobuf;
import io.tidemark.serving.status.StatusWriter;
import java.util.List;

/** The format of a Status or another document, negotiated by the Accept header. */
public enum DocumentFormat {
    /** One line, ending with a line feed. */
    COMPACT("application/json"),
    /** Indented, without a final line feed; also used when the request accepts no other format. */
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
     * Negotiates the format of a Status.
     *
     * @param accept the header, empty when absent
     * @param pretty whether the request asks for indented JSON other than by the header
     */
    public static DocumentFormat ofStatus(String accept, boolean pretty) {
        return first(accept, pretty, List.of(COMPACT, YAML, PROTOBUF));
    }

    /** As {@link #ofStatus}, for documents that exist as JSON only. */
    public static DocumentFormat of(String accept, boolean pretty) {
        return first(accept, pretty, List.of(COMPACT, YAML));
    }

    private static DocumentFormat first(String accept, boolean pretty, List<DocumentFormat> forms) {
        for (AcceptHeader.MediaRange range : AcceptHeader.parse(accept)) {
            for (DocumentFormat form : forms) {
                // A Status has no versions and no transformations.
                if (range.transforms()
                        || !range.allows(form.contentType)
                        || !range.permits(form.contentType, List.of())) {
                    continue;
                }
                boolean indented = pretty || range.parameter("pretty").equals("1");
                return form == COMPACT && indented ? INDENTED : form;
            }
        }
        return INDENTED;
    }

    /** The body of the response. */
    public byte[] write(FailureStatus refusal) {
        return this == PROTOBUF
                ? StatusProtobuf.write(refusal)
                : write(StatusWriter.write(refusal));
    }

    /**
     * Formats any document. JSON cannot be converted to protobuf here: that format leaves it
     * unchanged.
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
