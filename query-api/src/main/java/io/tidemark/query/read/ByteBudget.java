package io.tidemark.query.read;

import io.tidemark.query.status.Refusals;
import java.util.concurrent.Semaphore;

/**
 * Bounds what all lists together hold in memory. A list takes its share before it reads and gives
 * it back at its end; when nothing is left the client is told to come again.
 */
public final class ByteBudget {
    private static final int UNIT = 1024;

    private final Semaphore units;

    public ByteBudget(long bytes) {
        units = new Semaphore((int) Math.min(Integer.MAX_VALUE, bytes / UNIT));
    }

    /**
     * @throws io.tidemark.query.status.StatusException 429 when there is not enough left
     */
    public Share take(long bytes) {
        int wanted = (int) Math.min(Integer.MAX_VALUE, (bytes + UNIT - 1) / UNIT);
        if (!units.tryAcquire(wanted)) {
            throw Refusals.tooManyRequests(
                    "too many lists are being served at once, please try again later");
        }
        return new Share(units, wanted);
    }

    /** What a list has taken. Closing it gives it back. */
    public record Share(Semaphore units, int count) implements AutoCloseable {
        @Override
        public void close() {
            units.release(count);
        }
    }
}
