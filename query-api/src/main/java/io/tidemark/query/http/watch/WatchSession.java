package io.tidemark.query.http.watch;

import io.tidemark.query.http.exchange.ClientPresence;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.watch.BookmarkClock;
import io.tidemark.query.watch.EventSink;
import io.tidemark.query.watch.InitialEvents;
import io.tidemark.query.watch.WatchRun;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs one watch from its initial events to its end, over any {@link EventSink}. For one thread.
 */
final class WatchSession {
    /** A year: longer than any server runs, without overflow. */
    private static final long MAX_SECONDS = 365L * 24 * 3600;

    /** Limit of the time spent reading the initial objects. */
    private static final Duration LONGEST_READING = Duration.ofMinutes(1);

    private final ServingContext serving;
    private final WatchQuery query;
    private final ReadPoint opened;
    private final PartitionSet partitions;
    private final EventSink sink;
    private final Client client;
    private final long deadline;

    /**
     * The client of a watch.
     *
     * @param address the address whose memory share it uses
     * @param require throws {@link io.tidemark.serving.read.ClientDisconnectedException} when it
     *     has disconnected
     */
    record Client(String address, Runnable require) {}

    /**
     * Creates the session and starts its timeout.
     *
     * @param opened the newest state before the response began: later changes must be sent as
     *     events
     */
    WatchSession(
            ServingContext serving,
            WatchQuery query,
            ReadPoint opened,
            EventSink sink,
            Client client) {
        this.serving = serving;
        this.query = query;
        this.opened = opened;
        this.partitions = opened.partitions();
        this.sink = sink;
        this.client = client;
        this.deadline = System.nanoTime() + timeout(serving, query.options()).toNanos();
    }

    /**
     * Returns when the watch ends: after its timeout, when the node stops, or after an ERROR event.
     *
     * @throws IOException when the client has disconnected
     * @throws io.tidemark.serving.read.ClientDisconnectedException likewise, while there are no
     *     events
     */
    void run(Admission admission) throws IOException, InterruptedException {
        if (isOver()) {
            return;
        }
        admission.requireBeforeReading(client.require());
        try {
            serve(admission);
        } catch (StatusException e) {
            WatchRun.refuse(e, sink);
        }
    }

    private void serve(Admission admission) throws IOException, InterruptedException {
        ListOptions options = query.options();
        boolean initialEvents = !Boolean.FALSE.equals(options.sendInitialEvents());
        boolean fromRevision =
                options.revision() > 0 && !Boolean.TRUE.equals(options.sendInitialEvents());
        ReadPoint now = fromRevision ? opened : initialPoint();
        if (!fromRevision && initialEvents && !sendInitialEvents(now)) {
            return;
        }
        long start = fromRevision ? options.revision() : now.revision();
        BookmarkClock bookmarks =
                new BookmarkClock(
                        System::nanoTime,
                        options.allowWatchBookmarks(),
                        serving.times().bookmarkInterval(),
                        deadline,
                        start,
                        now.revision());
        try (WatchCursor cursor =
                admission.watch(
                        query.filter(),
                        partitions,
                        now.epoch(),
                        start,
                        query.form().projection())) {
            streamEvents(
                    cursor,
                    new WatchRun(
                            System::nanoTime,
                            query.form(),
                            sink,
                            bookmarks,
                            admission::ending,
                            count -> serving.metrics().eventsSent(query.label(), count)));
        }
    }

    private void streamEvents(WatchCursor cursor, WatchRun run)
            throws IOException, InterruptedException {
        Step step;
        do {
            step = ClientPresence.next(cursor, run.waitUntil(), serving.times(), client.require());
        } while (run.take(step));
    }

    private ReadPoint initialPoint() throws InterruptedException {
        ListOptions options = query.options();
        return serving.freshness()
                .await(
                        partitions,
                        InitialEvents.state(options.resourceVersion(), options.revision()));
    }

    /**
     * Sends the current objects.
     *
     * @return false when the watch must end
     */
    private boolean sendInitialEvents(ReadPoint at) throws IOException, InterruptedException {
        InitialEvents initial =
                new InitialEvents(serving.view(), query.filter(), query.form(), sink);
        try (Share memory = serving.memory().share(client.address())) {
            ReadAllowance allowance =
                    ReadAllowance.of(
                            memory, () -> initial.sent() > 0, client.require(), LONGEST_READING);
            boolean goesOn =
                    initial.send(
                            at,
                            serving.limits().scanPage(),
                            allowance,
                            query.options().allowWatchBookmarks());
            if (goesOn) {
                serving.metrics().eventsSent(query.label(), initial.sent());
            }
            return goesOn;
        }
    }

    private boolean isOver() {
        return deadline - System.nanoTime() <= 0;
    }

    /**
     * The requested timeout; else a random one, so that watches that began together do not end
     * together.
     */
    private static Duration timeout(ServingContext serving, ListOptions options) {
        if (options.timeoutSeconds().isPresent()) {
            return Duration.ofSeconds(
                    Math.clamp(options.timeoutSeconds().getAsLong(), 0, MAX_SECONDS));
        }
        long shortest = serving.times().shortestWatch().toNanos();
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(shortest, 2 * shortest));
    }
}
