package io.tidemark.scenarios;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Continue tokens in the public form. */
final class Tokens {
    private Tokens() {}

    /**
     * @param start key to continue at, relative to the listed collection
     */
    static String of(long revision, String start) {
        return ofJson(
                "{\"v\":\"meta.k8s.io/v1\",\"rv\":%d,\"start\":\"%s\"}".formatted(revision, start));
    }

    static String ofJson(String json) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
