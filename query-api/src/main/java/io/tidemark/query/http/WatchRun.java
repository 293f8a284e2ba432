package io.tidemark.query.http;

import io.tidemark.query.read.ByteBudget.Share;
import io.tidemark.query.read.MergedScan;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.ReadAllowance;
import io.tidemark.query.read.ReadPoint;
import io.tidemark.query.read.RevisionExpiredException;
import io.tidemark.query.status.Refusals;
import io.tidemark.query.status.StatusException;
import io.tidemark.query.status.StatusWriter;
import io.tidemark.query.watch.Delivery;
import io.tidemark.query.watch.Step;
import io.tidemark.query.watch.WatchCursor;
import io.tidemark.query.watch.WatchHub.Admission;
import io.tidemark.query.wire.EventType;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.view.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One watch from its first event to its end, whatever carries it: take what is there, send it,
 * flush, wait. For the one thread that runs it.
 */
final class WatchRun {
    /** A year: longer than any server runs, and far from what overflows. */
    private static final long MAX_SECONDS = 365L * 24 * 3600;

    /** All reading for the objects that a watch begins with. */
    private static final Duration LONGEST_READING = Duration.ofMinutes(1);

    /** How long to wait at a time for the rest of a revision; the watch does not end inside one. */
    private static final Duration LOOK_UP = Duration.ofMillis(500);

    private final Reading reading;
    private final WatchQuery query;
    private final ReadPoint opened;
    private final PartitionSet partitions;
    private final EventSink sink;
    private final Client client;
    private final long deadline;

    /**
     * Who watches.
     *
     * @param address that its memory is counted for
     * @param require throws {@link io.tidemark.query.read.ClientGoneException} when it has left
     */
    record Client(String address, Runnable require) {}

    /**
     * Its time begins now.
     *
     * @param opened the newest there was before the client heard that its watch has begun: what
     *     comes later is news to it
     */
    WatchRun(Reading reading, WatchQuery query, ReadPoint opened, EventSink sink, Client client) {
        this.reading = reading;
        this.query = query;
        this.opened = opened;
        this.partitions = opened.partitions();
        this.sink = sink;
        this.client = client;
        this.deadline = System.nanoTime() + timeout(reading, query.options()).toNanos();
    }

    /**
     * Returns when the watch is over: its time is, the server stops, or an ERROR event has said
     * why.
     *
     * @throws IOException when the client is gone
     */
    void run(Admission admission) throws IOException, InterruptedException {
        if (isOver()) {
            return;
        }
        admission.requireBeforeReading(client.require());
        try {
            serve(admission);
        } catch (StatusException e) {
            sink.send(EventType.ERROR.line(StatusWriter.write(e.refusal())));
            sink.flush();
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
                        options.allowWatchBookmarks(),
                        reading.times().bookmarkInterval(),
                        deadline,
                        start,
                        now.revision());
        try (WatchCursor cursor =
                admission.watch(
                        query.interest(), partitions, now.epoch(), start, query.form().needs())) {
            follow(admission, cursor, bookmarks);
        }
    }

    private void follow(Admission admission, WatchCursor cursor, BookmarkClock bookmarks)
            throws IOException, InterruptedException {
        boolean inside = false;
        do {
            long until = inside ? System.nanoTime() + LOOK_UP.toNanos() : bookmarks.wakeAt();
            switch (cursor.next(until)) {
                case Step.Events events -> {
                    if (!query.form().holdsEvents()) {
                        return;
                    }
                    send(events, bookmarks);
                    inside = !events.isWhole();
                }
                case Step.Quiet quiet -> {
                    bookmarks.reached(quiet.throughRevision());
                    inside = !quiet.isWhole();
                }
                case Step.Ended _ -> {
                    sayWhereItEnds(bookmarks);
                    return;
                }
            }
            if (!inside && bookmarks.due()) {
                if (!query.form().holdsEvents()) {
                    return;
                }
                sink.send(query.form().bookmark(bookmarks.take(), false));
                sink.flush();
            }
        } while (inside || (!isOver() && !admission.ending()));
        if (admission.ending()) {
            sayWhereItEnds(bookmarks);
        }
    }

    /** The node stops: the client goes on elsewhere, from exactly what it has got here. */
    private void sayWhereItEnds(BookmarkClock bookmarks) throws IOException, InterruptedException {
        if (bookmarks.dueAtEnd() && query.form().holdsEvents()) {
            sink.send(query.form().bookmark(bookmarks.take(), false));
            sink.flush();
        }
    }

    private void send(Step.Events events, BookmarkClock bookmarks)
            throws IOException, InterruptedException {
        for (Delivery delivery : events.deliveries()) {
            sink.send(delivery.line(query.form()));
        }
        sink.flush();
        reading.metrics().eventsSent(query.label(), events.deliveries().size());
        bookmarks.sent(events.deliveries().getLast().revision());
        bookmarks.reached(events.throughRevision());
    }

    private ReadPoint initialPoint() throws InterruptedException {
        ListOptions options = query.options();
        if (options.resourceVersion().isEmpty()) {
            return reading.freshness().latest(partitions);
        }
        long revision = options.revision();
        return revision == 0
                ? reading.freshness().any(partitions)
                : reading.freshness().notOlderThan(partitions, revision, options.resourceVersion());
    }

    /**
     * Sends the objects there are.
     *
     * @return false when the watch has to end with the first of them
     */
    private boolean sendInitialEvents(ReadPoint at) throws IOException, InterruptedException {
        AtomicLong sent = new AtomicLong();
        try (Share memory = reading.memory().share(client.address())) {
            MergedScan scan =
                    reading.view()
                            .scan(
                                    query.interest().scope(),
                                    query.interest().selection(),
                                    Bytes.EMPTY,
                                    at,
                                    reading.limits().scanPage(),
                                    query.form().needs(),
                                    ReadAllowance.of(
                                            memory,
                                            () -> sent.get() > 0,
                                            client.require(),
                                            LONGEST_READING));
            StoredObject object = scan.next();
            while (object != null) {
                if (query.interest().serves(object)) {
                    if (!query.form().holdsEvents()) {
                        return false;
                    }
                    sink.send(query.form().line(EventType.ADDED, object, object.revision()));
                    sent.incrementAndGet();
                }
                scan.release(object);
                object = scan.next();
            }
        } catch (RevisionExpiredException e) {
            throw e.replacement()
                    .orElseGet(
                            () -> Refusals.watchExpired(Long.toString(at.revision()), e.floor()));
        }
        if (query.options().allowWatchBookmarks()) {
            if (!query.form().holdsEvents()) {
                return false;
            }
            sink.send(query.form().bookmark(at.revision(), true));
        }
        sink.flush();
        reading.metrics().eventsSent(query.label(), sent.get());
        return true;
    }

    private boolean isOver() {
        return deadline - System.nanoTime() <= 0;
    }

    /** As asked; else random, so that watches which began together do not end together. */
    private static Duration timeout(Reading reading, ListOptions options) {
        if (options.timeoutSeconds().isPresent()) {
            return Duration.ofSeconds(
                    Math.clamp(options.timeoutSeconds().getAsLong(), 0, MAX_SECONDS));
        }
        long shortest = reading.times().shortestWatch().toNanos();
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(shortest, 2 * shortest));
    }
}
