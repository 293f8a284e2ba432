package io.tidemark.query.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidemark.json.JsonScanner;
import io.tidemark.json.MalformedJsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The content of a continue token, decoded as Go decodes a struct: names are case-insensitive, the
 * last value counts, {@code null} and unknown members are ignored.
 *
 * @param version empty when absent
 * @param revision 0 when absent
 * @param start empty when absent
 * @param epoch 0 when absent; not a member of Kubernetes' tokens
 */
record TokenDocument(String version, long revision, String start, long epoch) {
    /** A token is short, so no valid one exceeds these limits. */
    private static final JsonFactory JSON =
            new JsonFactoryBuilder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(ContinueToken.MAX_LENGTH)
                                    .maxNumberLength(ContinueToken.MAX_LENGTH)
                                    .build())
                    .build();

    private static final int GO_MAX_DEPTH = 10_000;
    private static final String STRUCT = "Go struct field continueToken.";

    /**
     * @throws MalformedJsonException when it is not JSON, or a member has another type; like Go,
     *     the first such member is reported after a syntax check of all
     */
    static TokenDocument read(byte[] json) {
        new JsonScanner(json, 0, json.length, GO_MAX_DEPTH, false).finish();
        // Invalid UTF-8 becomes a replacement character.
        String text = new String(json, StandardCharsets.UTF_8);
        try (JsonParser parser = JSON.createParser(text)) {
            return new Reader(parser).read();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // The syntax was checked above.
        }
    }

    private static final class Reader {
        private final JsonParser parser;
        private String version = "";
        private long revision;
        private String start = "";
        private long epoch;
        private String mismatch = "";

        Reader(JsonParser parser) {
            this.parser = parser;
        }

        TokenDocument read() throws IOException {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName().toLowerCase(Locale.ROOT);
                    parser.nextToken();
                    member(name);
                    parser.skipChildren();
                }
            } else if (first != JsonToken.VALUE_NULL) {
                differs("Go value of type storage.continueToken", "");
            }
            if (!mismatch.isEmpty()) {
                throw new MalformedJsonException(mismatch, 0);
            }
            return new TokenDocument(version, revision, start, epoch);
        }

        private void member(String name) throws IOException {
            switch (name) {
                case "v" -> version = text("v", version);
                case "rv" -> revision = number("rv", revision);
                case "epoch" -> epoch = number("epoch", epoch);
                case "start" -> start = text("start", start);
                default -> {
                    // Not ours.
                }
            }
        }

        private String text(String name, String before) throws IOException {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.VALUE_STRING) {
                return parser.getText();
            }
            if (token != JsonToken.VALUE_NULL) {
                differs(STRUCT + name + " of type string", "");
            }
            return before;
        }

        private long number(String name, long before) throws IOException {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.VALUE_NULL) {
                return before;
            }
            if (token == JsonToken.VALUE_NUMBER_INT) {
                try {
                    return Long.parseLong(parser.getText());
                } catch (NumberFormatException _) {
                    differs(STRUCT + name + " of type int64", " " + parser.getText());
                    return before;
                }
            }
            boolean number = token == JsonToken.VALUE_NUMBER_FLOAT;
            differs(STRUCT + name + " of type int64", number ? " " + parser.getText() : "");
            return before;
        }

        private void differs(String expected, String literal) {
            if (mismatch.isEmpty()) {
                mismatch =
                        "json: cannot unmarshal %s%s into %s".formatted(found(), literal, expected);
            }
        }

        private String found() {
            return switch (parser.currentToken()) {
                case START_OBJECT -> "object";
                case START_ARRAY -> "array";
                case VALUE_STRING -> "string";
                case VALUE_TRUE, VALUE_FALSE -> "bool";
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "number";
                default -> "value";
            };
        }
    }
}
