package io.tidemark.serving.read;

/**
 * Size limits of one partition's page.
 *
 * @param entries objects or changes
 * @param bytes of objects; the last entry of a page may exceed it
 */
public record PageLimits(int entries, int bytes) {
    public PageLimits {
        if (entries < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "page limits must be positive: %d entries, %d bytes".formatted(entries, bytes));
        }
    }
}
