package io.tidemark.peer.link;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;

/** The answer exceeds its size limit. */
public final class AnswerTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long bytes;

    /** Its size is unknown. */
    public AnswerTooLargeException(IOException cause) {
        super(cause);
        bytes = 0;
    }

    /**
     * @param bytes that the answer has
     */
    public AnswerTooLargeException(long bytes) {
        super("an answer of " + bytes + " bytes is too large");
        this.bytes = bytes;
    }

    /** The answer's size; 0 when it is unknown, since the other node sends it regardless. */
    public long bytes() {
        return bytes;
    }

    /** The exception of {@link BodyHandlers#limiting} is recognizable by its message only. */
    public static boolean isBodyTooLarge(IOException failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (String.valueOf(each.getMessage()).contains("body exceeds capacity")) {
                return true;
            }
        }
        return false;
    }
}
