package io.tidemark.peer.link;

import io.tidemark.view.request.ReadOutcome;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Reads a local replica within a time. */
public interface TimedRead {
    /** Each read in a virtual thread, which a timeout interrupts. */
    TimedRead IN_A_THREAD =
            new TimedRead() {
                @Override
                public <T> ReadOutcome<T> within(Duration longest, Supplier<ReadOutcome<T>> read) {
                    FutureTask<ReadOutcome<T>> running = new FutureTask<>(read::get);
                    Thread _ = Thread.ofVirtual().name("peer-changes").start(running);
                    try {
                        return running.get(longest.toMillis(), TimeUnit.MILLISECONDS);
                    } catch (TimeoutException _) {
                        return new ReadOutcome.ReplicaUnavailable<>("the read takes too long");
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                        return new ReadOutcome.ReplicaUnavailable<>("the reader was interrupted");
                    } catch (ExecutionException e) {
                        throw e.getCause() instanceof RuntimeException failure
                                ? failure
                                : new IllegalStateException(e);
                    } finally {
                        running.cancel(true);
                    }
                }
            };

    /**
     * @return {@link ReadOutcome.ReplicaUnavailable} when the read takes longer
     */
    <T> ReadOutcome<T> within(Duration longest, Supplier<ReadOutcome<T>> read);
}
