package io.tidemark.query.http.watch;

import io.tidemark.query.access.Permit;
import io.tidemark.query.http.exchange.EndedWatches;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.WatchWriters;
import io.tidemark.query.watch.WatchPermit;
import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.status.StatusException;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * An open watch or a waiting long poll, as its right sees it.
 *
 * @param changed asks for a turn
 * @param writing whether it waits for its client to read
 * @param abortion breaks its connection, or its stream of a connection, off
 */
record OpenWatch(
        Runnable changed, BooleanSupplier writing, EndedWatches ended, Consumer<Throwable> abortion)
        implements WatchPermit.Watch {
    /** The right of a watch, judged on the node's threads. */
    static WatchPermit permit(
            ServingContext serving,
            Permit permit,
            Runnable changed,
            BooleanSupplier writing,
            Consumer<Throwable> abortion) {
        if (permit == Permit.EVERYTHING) {
            return WatchPermit.EVERYTHING;
        }
        WatchWriters threads = serving.watchWriters();
        return new WatchPermit(
                permit,
                new WatchPermit.Ports(
                        System::nanoTime,
                        serving.clock(),
                        threads.judges(),
                        (nanos, task) -> {
                            Future<?> timer = threads.at(nanos, task);
                            return () -> timer.cancel(false);
                        },
                        serving.times().watchGrace()),
                new OpenWatch(changed, writing, serving.endedWatches(), abortion));
    }

    @Override
    public void signal() {
        changed.run();
    }

    @Override
    public void refused(StatusException why) {
        ended.ended(why);
    }

    @Override
    public boolean isWriting() {
        return writing.getAsBoolean();
    }

    /** A close may write, so it does not run on the timer. */
    @Override
    public void abort() {
        Thread _ =
                Thread.ofVirtual()
                        .name("watch-abort")
                        .start(() ->
                                abortion.accept(
                                        new ClientDisconnectedException(
                                                "its right ended, and it did not read the error in"
                                                        + " time")));
    }
}
