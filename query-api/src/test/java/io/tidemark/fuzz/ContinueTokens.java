package io.tidemark.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The continue tokens of answers; bounded, as requests use some of them only. */
final class ContinueTokens {
    private static final Pattern TOKEN = Pattern.compile("\"continue\": ?\"([^\"]+)\"");
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

    /** Empty if it is not in base64. */
    static byte[] decoded(String token) {
        try {
            return Base64.getUrlDecoder().decode(token);
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
