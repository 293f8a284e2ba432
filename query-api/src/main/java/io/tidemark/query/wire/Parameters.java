package io.tidemark.query.wire;

import io.tidemark.json.GoQuote;
import io.tidemark.record.Bytes;
import io.tidemark.serving.status.StatusErrors;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request. The first value of a repeated name counts, except in {@link
 * #texts}.
 */
public final class Parameters {
    private final Map<String, List<Bytes>> values;

    private Parameters(Map<String, List<Bytes>> values) {
        this.values = values;
    }

    /**
     * @param query the undecoded query string; null for none
     * @throws io.tidemark.serving.status.StatusException 400 for an invalid escape
     */
    public static Parameters parse(@Nullable String query) {
        Map<String, List<Bytes>> values = new HashMap<>();
        if (query != null && !query.isEmpty()) {
            for (String pair : query.split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                values.computeIfAbsent(decode(name, true).utf8(), _ -> new ArrayList<>())
                        .add(decode(value, true));
            }
        }
        return new Parameters(values);
    }

    /** The value; empty when there is none. */
    public String text(String name) {
        return bytes(name).utf8();
    }

    /** The value as bytes; empty when there is none. */
    public Bytes bytes(String name) {
        List<Bytes> all = values.getOrDefault(name, List.of());
        return all.isEmpty() ? Bytes.EMPTY : all.getFirst();
    }

    /** All values of a repeated name. */
    public List<String> texts(String name) {
        return values.getOrDefault(name, List.of()).stream().map(Bytes::utf8).toList();
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Set and not {@code 0} or {@code false}; like the API server, an empty value is true. */
    public boolean flag(String name) {
        return has(name) && !text(name).equals("0") && !text(name).equalsIgnoreCase("false");
    }

    /**
     * Decodes percent-encoding to bytes, so that any key can be named.
     *
     * @param plusIsBlank as in a query, not in a path
     */
    public static Bytes decode(String encoded, boolean plusIsBlank) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                out.write(hex(encoded, i + 1) << 4 | hex(encoded, i + 2));
                i += 2;
            } else if (c == '+' && plusIsBlank) {
                out.write(' ');
            } else if (c < 0x80) {
                out.write(c);
            } else {
                int codePoint = encoded.codePointAt(i);
                out.writeBytes(Bytes.utf8(Character.toString(codePoint)).array());
                i += Character.charCount(codePoint) - 1;
            }
        }
        return Bytes.wrap(out.toByteArray());
    }

    private static int hex(String encoded, int at) {
        int digit = at < encoded.length() ? Character.digit(encoded.charAt(at), 16) : -1;
        if (digit < 0) {
            int from = encoded.lastIndexOf('%', at);
            String escape = encoded.substring(from, Math.min(encoded.length(), from + 3));
            throw StatusErrors.badRequest("invalid URL escape " + GoQuote.string(escape));
        }
        return digit;
    }
}
