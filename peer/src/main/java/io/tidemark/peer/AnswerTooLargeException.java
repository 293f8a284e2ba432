package io.tidemark.peer;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;

/** An answer holds more than it may. */
final class AnswerTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    AnswerTooLargeException(IOException cause) {
        super(cause);
    }

    /** {@link BodyHandlers#limiting} says it by its message alone. */
    static boolean isBodyTooLarge(IOException failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (String.valueOf(each.getMessage()).contains("body exceeds capacity")) {
                return true;
            }
        }
        return false;
    }
}
