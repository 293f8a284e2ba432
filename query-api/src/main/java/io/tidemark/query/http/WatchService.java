package io.tidemark.query.http;

import io.tidemark.query.read.MergedScan;
import io.tidemark.query.read.PartitionSet;
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
import io.tidemark.query.wire.ListOptionsRules;
import io.tidemark.record.Bytes;
import io.tidemark.view.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves watches, each on the virtual thread of its request: take what is there, write it, flush,
 * wait. What goes wrong before the stream has begun is an HTTP status, afterwards an ERROR event.
 */
final class WatchService {
    /** A year: longer than any server runs, and far from what overflows. */
    private static final long MAX_SECONDS = 365L * 24 * 3600;

    private final Reading reading;

    WatchService(Reading reading) {
        this.reading = reading;
    }

    void serve(Exchange exchange, WatchQuery query) throws IOException, InterruptedException {
        ListOptions options = query.options();
        ListOptionsRules.checkWatch(options);
        PartitionSet partitions = reading.tides().partitionsOf(query.interest().scope());
        reading.tides().now(partitions).orRefuse();
        try (Admission admission = reading.hub().admit()) {
            if (query.interest().resource().isPresent()) {
                UnreadableObjects.warn(exchange, reading, query.interest().scope(), query.label());
            }
            OutputStream out = exchange.stream(query.contentType());
            long deadline = System.nanoTime() + timeout(options).toNanos();
            try {
                stream(new Stream(query, partitions, deadline, out), admission);
            } catch (StatusException e) {
                out.write(EventType.ERROR.line(StatusWriter.write(e.refusal())));
            }
            out.close();
        }
    }

    private void stream(Stream stream, Admission admission)
            throws IOException, InterruptedException {
        if (stream.deadline() - System.nanoTime() <= 0) {
            return;
        }
        ReadPoint start = start(stream);
        BookmarkClock bookmarks =
                new BookmarkClock(
                        stream.query().options().allowWatchBookmarks(),
                        reading.times().bookmarkInterval(),
                        stream.deadline(),
                        start.revision());
        try (WatchCursor cursor =
                admission.watch(
                        stream.query().interest(),
                        stream.partitions(),
                        start.epoch(),
                        start.revision())) {
            follow(stream, cursor, bookmarks);
        }
    }

    private void follow(Stream stream, WatchCursor cursor, BookmarkClock bookmarks)
            throws IOException, InterruptedException {
        OutputStream out = stream.out();
        while (true) {
            Step step = cursor.next(bookmarks.wakeAt());
            switch (step) {
                case Step.Events events -> {
                    for (Delivery delivery : events.deliveries()) {
                        out.write(delivery.line(stream.query().form()));
                    }
                    out.flush();
                    reading.metrics()
                            .eventsSent(stream.query().label(), events.deliveries().size());
                    bookmarks.reached(events.throughRevision());
                }
                case Step.Quiet(long through) -> bookmarks.reached(through);
                case Step.Ended _ -> {
                    return;
                }
            }
            if (bookmarks.due()) {
                out.write(stream.query().form().bookmark(bookmarks.take(), false));
                out.flush();
            }
            if (stream.deadline() - System.nanoTime() <= 0) {
                return;
            }
        }
    }

    /** Sends the objects there are, if they are wanted, and says where to go on. */
    private ReadPoint start(Stream stream) throws IOException, InterruptedException {
        ListOptions options = stream.query().options();
        long revision = options.revision();
        boolean fromRevision = revision > 0 && !Boolean.TRUE.equals(options.sendInitialEvents());
        if (fromRevision) {
            ReadPoint now = reading.freshness().any(stream.partitions());
            return new ReadPoint(stream.partitions(), now.epoch(), revision, now.asOfMillis());
        }
        ReadPoint at = initialPoint(stream.partitions(), options);
        boolean wanted = !Boolean.FALSE.equals(options.sendInitialEvents());
        if (wanted) {
            sendInitialEvents(stream, at);
        }
        return at;
    }

    private ReadPoint initialPoint(PartitionSet partitions, ListOptions options)
            throws InterruptedException {
        if (options.resourceVersion().isEmpty()) {
            return reading.freshness().latest(partitions);
        }
        long revision = options.revision();
        return revision == 0
                ? reading.freshness().any(partitions)
                : reading.freshness().notOlderThan(partitions, revision, options.resourceVersion());
    }

    private void sendInitialEvents(Stream stream, ReadPoint at)
            throws IOException, InterruptedException {
        WatchQuery query = stream.query();
        long held = (long) at.partitions().size() * reading.limits().scanPage().bytes();
        long sent = 0;
        try (var _ = reading.listBudget().take(held)) {
            MergedScan scan =
                    reading.view()
                            .scan(
                                    query.interest().scope(),
                                    query.interest().selection(),
                                    Bytes.EMPTY,
                                    at,
                                    reading.limits().scanPage());
            StoredObject object = scan.next();
            while (object != null) {
                if (query.interest().serves(object)) {
                    stream.out()
                            .write(query.form().line(EventType.ADDED, object, object.revision()));
                    sent++;
                }
                object = scan.next();
            }
        } catch (RevisionExpiredException e) {
            throw Refusals.watchExpired(Long.toString(at.revision()), e.floor());
        }
        if (query.options().allowWatchBookmarks()) {
            stream.out().write(query.form().bookmark(at.revision(), true));
        }
        stream.out().flush();
        reading.metrics().eventsSent(query.label(), sent);
    }

    /** As asked; else random, so that watches which began together do not end together. */
    private Duration timeout(ListOptions options) {
        if (options.timeoutSeconds().isPresent()) {
            return Duration.ofSeconds(Math.min(options.timeoutSeconds().getAsLong(), MAX_SECONDS));
        }
        long shortest = reading.times().shortestWatch().toNanos();
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(shortest, 2 * shortest));
    }

    /** One watch being served. */
    private record Stream(
            WatchQuery query, PartitionSet partitions, long deadline, OutputStream out) {}
}
