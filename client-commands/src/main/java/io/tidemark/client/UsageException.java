package io.tidemark.client;

import java.util.function.Supplier;

/** Options with an invalid value or combination: one line on stderr and exit code 2. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    /**
     * Returns the supplier's value, such as a record whose constructor checks its components.
     *
     * @throws UsageException with the message of an IllegalArgumentException
     */
    public static <T> T unlessValid(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
