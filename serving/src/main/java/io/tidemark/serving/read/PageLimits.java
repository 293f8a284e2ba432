package io.tidemark.serving.read;

/**
 * How much one partition gives at a time.
 *
 * @param entries objects or changes
 * @param bytes of objects; a page may be above it by its last entry
 */
public record PageLimits(int entries, int bytes) {
    public PageLimits {
        if (entries < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "pages of %d entries, %d bytes".formatted(entries, bytes));
        }
    }
}
