package io.tidemark.query.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.json.GoNumbers;
import io.tidemark.json.JsonBuffer;
import io.tidemark.view.object.StoredJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** JSON as the API server's encoder writes it: angle brackets and ampersands are escaped. */
public final class GoJson {
    /** Ends compact documents. Not to be modified. */
    public static final byte[] LINE_FEED = {'\n'};

    /** Keeps the digits of numbers. */
    public static final JsonNodeFactory NODES = JsonNodeFactory.withExactBigDecimals(true);

    private static final ObjectMapper MAPPER = new ObjectMapper(StoredJson.factory());

    private GoJson() {}

    /** A tree as one compact document, without a line feed. */
    public static byte[] write(JsonNode tree) {
        JsonBuffer out = new JsonBuffer(256, Integer.MAX_VALUE);
        write(tree, out);
        return out.toByteArray();
    }

    private static void write(JsonNode tree, JsonBuffer out) {
        switch (tree) {
            case ObjectNode object -> {
                out.put('{');
                object.properties()
                        .forEach(member -> {
                            out.separate();
                            out.string(member.getKey());
                            out.put(':');
                            write(member.getValue(), out);
                        });
                out.put('}');
            }
            case ArrayNode array -> {
                out.put('[');
                for (JsonNode element : array) {
                    out.separate();
                    write(element, out);
                }
                out.put(']');
            }
            case TextNode text -> out.string(text.textValue());
            case DoubleNode number when !Double.isFinite(number.doubleValue()) ->
                    out.string(number.asText());
            case DoubleNode number -> out.put(GoNumbers.print(number.doubleValue()));
            case MissingNode _ -> out.put("null");
            default -> out.put(tree.asText());
        }
    }

    /**
     * The tree of a stored document.
     *
     * @throws UncheckedIOException when it is invalid JSON
     */
    public static JsonNode read(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The pieces one after the other. */
    public static byte[] joined(byte[]... pieces) {
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
}
