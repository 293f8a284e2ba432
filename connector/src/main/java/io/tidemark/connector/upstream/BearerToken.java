package io.tidemark.connector.upstream;

import io.tidemark.credentials.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The token by which nodes know this client. It consists of what a header may hold: the JDK names
 * the value of a header that it refuses, and so the token, in an exception.
 */
record BearerToken(String text) {
    private static final Pattern VISIBLE_ASCII = Pattern.compile("[!-~]+");

    /**
     * Reads a file that holds a token and nothing else, except blanks around it.
     *
     * @throws IOException when it cannot be read, or others can read it; the message is a sentence
     *     that names the file
     * @throws IllegalArgumentException when it holds something else; the message is a sentence that
     *     names the file and shows nothing of its content
     */
    static BearerToken read(Path file) throws IOException {
        String text = SecretFile.read(file).strip();
        if (!VISIBLE_ASCII.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "the file %s must hold one bearer token: one line of visible ASCII characters"
                            .formatted(file));
        }
        return new BearerToken(text);
    }

    /** Value of the header that presents it. */
    String header() {
        return "Bearer " + text;
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "BearerToken";
    }
}
