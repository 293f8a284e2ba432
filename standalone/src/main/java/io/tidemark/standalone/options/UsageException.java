package io.tidemark.standalone.options;

import java.util.function.Supplier;

/** Options that cannot be, alone or together; becomes one line and exit code 2. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    /**
     * The value, if the checks of its own constructor let it be.
     *
     * @throws UsageException with the reason if they do not
     */
    static <T> T unlessValid(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
