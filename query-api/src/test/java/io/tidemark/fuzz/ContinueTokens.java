package io.tidemark.fuzz;

import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The continue tokens of answers; bounded, as requests use some of them only. */
final class ContinueTokens {
    private static final Pattern TOKEN = Pattern.compile("\"continue\": ?\"([^\"]+)\"");
    private static final Pattern KEY = Pattern.compile("\"start\": ?\"\\d+\\.([^.\"]+)\"");
    private static final int KEPT = 64;

    private final List<String> kept = new ArrayList<>(List.of("nonsense"));

    static List<String> in(byte[] body) {
        List<String> tokens = new ArrayList<>();
        Matcher match = TOKEN.matcher(new String(body, StandardCharsets.ISO_8859_1));
        while (match.find()) {
            tokens.add(match.group(1));
        }
        return tokens;
    }

    /** With the key that a token of a comparison has in base64; empty if it is not in base64. */
    static byte[] decoded(String token) {
        byte[] outer = base64(token);
        Matcher key = KEY.matcher(new String(outer, StandardCharsets.ISO_8859_1));
        return key.find()
                ? Bytes.wrap(outer).concat(Bytes.wrap(base64(key.group(1)))).array()
                : outer;
    }

    private static byte[] base64(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    synchronized void keep(byte[] body) {
        for (String token : in(body)) {
            if (kept.size() < KEPT) {
                kept.add(token);
            } else {
                kept.set(Math.floorMod(token.hashCode(), KEPT), token);
            }
        }
    }

    synchronized String any(SeededRandom choice) {
        return kept.get(choice.below(kept.size()));
    }
}
