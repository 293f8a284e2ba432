package io.tidemark.query.table;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** JSON as the API server's encoder writes it: angle brackets and ampersands are escaped. */
public final class GoJson {
    static final byte[] LINE_FEED = {'\n'};
    static final JsonNodeFactory NODES = JsonNodeFactory.withExactBigDecimals(true);

    /** The API server's limit. */
    private static final int MAX_NESTING = 10_000;

    private static final int MAX_NUMBER = 100_000;

    private static final ObjectMapper MAPPER =
            new ObjectMapper(
                    new JsonFactoryBuilder()
                            .characterEscapes(new Escapes())
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(MAX_NESTING)
                                            .maxNumberLength(MAX_NUMBER)
                                            .build())
                            .build());

    private GoJson() {}

    /** A tree as one compact document, without a line feed. */
    public static byte[] write(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The tree of a stored document.
     *
     * @throws UncheckedIOException when it is invalid JSON or exceeds the limits above
     */
    static JsonNode read(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] quoted(String text) {
        return write(NODES.textNode(text));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] joined(byte[]... pieces) {
        int length = 0;
        for (byte[] piece : pieces) {
            length += piece.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length);
        for (byte[] piece : pieces) {
            out.writeBytes(piece);
        }
        return out.toByteArray();
    }

    private static final class Escapes extends CharacterEscapes {
        private static final long serialVersionUID = 1L;
        private static final String ESCAPED = "<>&\u2028\u2029";

        private final int[] ascii = standardAsciiEscapesForJSON();

        Escapes() {
            for (int c = 0; c < 0x20; c++) {
                if (ascii[c] < 0) {
                    ascii[c] = ESCAPE_CUSTOM;
                }
            }
            for (char c : new char[] {'<', '>', '&'}) {
                ascii[c] = ESCAPE_CUSTOM;
            }
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ascii.clone();
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int c) {
            return c < 0x20 || ESCAPED.indexOf(c) >= 0
                    ? new SerializedString("\\u%04x".formatted(c))
                    : null;
        }
    }
}
