package io.tidemark.query.watch;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends the lines of a live watch to its client without blocking. */
public interface LiveOutput {
    /**
     * Sends lines in order. The write before must be complete.
     *
     * @param lines each with its line feed; shared between watches, for reading only
     * @param written called once, on any thread and perhaps before this returns, unless this
     *     returns true: with null when all bytes have been passed to the connection, else with the
     *     failure
     * @return whether all bytes have been passed to the connection
     * @throws IOException when the client has disconnected
     */
    boolean write(List<byte[]> lines, Consumer<@Nullable Throwable> written) throws IOException;
}
