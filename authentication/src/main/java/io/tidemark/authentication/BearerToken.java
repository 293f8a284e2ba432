package io.tidemark.authentication;

import java.util.Optional;

/** Reads the token in the header {@code Authorization} as an API server does. */
final class BearerToken {
    private static final String SCHEME = "bearer";

    private BearerToken() {}

    /**
     * The token after the scheme. More words after it do not count, and more than one blank before
     * it makes it empty: both as upstream.
     *
     * @return empty for another scheme, or an empty token
     */
    static Optional<String> of(String authorization) {
        String[] words = authorization.strip().split(" ", 3);
        return words.length > 1 && words[0].equalsIgnoreCase(SCHEME) && !words[1].isEmpty()
                ? Optional.of(words[1])
                : Optional.empty();
    }
}
