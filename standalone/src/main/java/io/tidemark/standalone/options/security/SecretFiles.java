package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.credentials.SecretFile;
import java.io.IOException;
import java.nio.file.Path;

/** Reads secret files named by options; refuses those that other users can read. */
public final class SecretFiles {
    private SecretFiles() {}

    /**
     * The first line.
     *
     * @throws UsageException if it cannot be read, or others can read it
     */
    public static String firstLine(Path file) {
        try {
            return SecretFile.read(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * @throws UsageException if others can read it, or it does not exist
     */
    public static void requirePrivate(Path file) {
        try {
            SecretFile.requirePrivate(file);
        } catch (IOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
