package io.tidemark.query.http.changes;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.changes.ChangeDocuments;
import io.tidemark.query.changes.ChangeFilter;
import io.tidemark.query.changes.ChangeFilter.Picked;
import io.tidemark.query.changes.ChangeItem;
import io.tidemark.query.changes.ChangesQuery;
import io.tidemark.query.changes.ChangesQuery.Form;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.watch.AwaitedSteps;
import io.tidemark.query.past.Moment;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusWriter;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Sends the changes that one request asks for as they come, one in a line, until a timeout or the
 * end of the right. Inside a revision it only ends with an error: a client that resumed after a
 * part of one would lose the rest.
 */
final class ChangeStream {
    private static final long DEFAULT_SECONDS = Duration.ofMinutes(30).toSeconds();
    private static final long MAX_SECONDS = Duration.ofHours(12).toSeconds();

    private final ServingContext serving;
    private final Exchange exchange;
    private final ReadPoints points;
    private final ChangesQuery query;
    private final KeyScope keys;
    private final PartitionSet partitions;
    private final BiFunction<ReadPoint, Catalog, RootOwners> owners;

    /** Knows the resources of a stream. */
    interface Begin {
        /**
         * @param from the revision after which the stream begins
         * @param newest of the states that it knows when it begins
         * @throws StatusException 429, 503 or 504 when the definitions do not come
         */
        StreamCatalog at(long from, ReadPoint newest) throws InterruptedException;
    }

    /**
     * @param keys the scope of the objects whose changes are sent
     * @param owners finds roots in the history of a point
     */
    ChangeStream(
            ServingContext serving,
            Exchange exchange,
            ReadPoints points,
            ChangesQuery query,
            KeyScope keys,
            BiFunction<ReadPoint, Catalog, RootOwners> owners) {
        this.serving = serving;
        this.exchange = exchange;
        this.points = points;
        this.query = query;
        this.keys = keys;
        this.partitions = serving.watermarks().partitionsOf(keys);
        this.owners = owners;
    }

    /**
     * Sends all changes after the request's {@code from}, or else those from now on. An error after
     * the first byte is the last line.
     *
     * @param begun makes the resources of the stream
     * @throws StatusException the error to answer with
     * @throws IOException if the client has disconnected
     */
    void serve(Begin begun) throws IOException, InterruptedException {
        if (exchange.isHead()) {
            throw StatusErrors.methodNotAllowed();
        }
        ReadPoint start = points.await(partitions, new RequestedState.Latest());
        long from = from(start);
        ListOptions options = ListOptions.parse(exchange.parameters());
        long until = System.nanoTime() + timeout(options).toNanos();
        int most = serving.limits().watchesPerClient();
        try (Admission admission = serving.hub().admit(exchange.client(), most)) {
            StreamCatalog catalog = begun.at(from, start);
            follow(admission, catalog, start, from, bookmarks(options, from), until);
        }
    }

    private void follow(
            Admission admission,
            StreamCatalog catalog,
            ReadPoint start,
            long from,
            StreamBookmarks bookmarks,
            long until)
            throws IOException, InterruptedException {
        WatchFilter all = new WatchFilter(keys, Selection.ALL, WatchFilter.WITHOUT_VERSIONS);
        try (WatchCursor cursor =
                        admission.watch(
                                all,
                                partitions,
                                start.epoch(),
                                from,
                                Projection.WHOLE,
                                points.bound(partitions, from));
                AwaitedSteps steps = new AwaitedSteps(serving, exchange, admission, cursor);
                OutputStream out = exchange.response().stream(query.form().contentType())) {
            Catalog known = catalog.with(List.of());
            ChangeFilter filter = new ChangeFilter(query, known);
            PartialRevision partial = new PartialRevision();
            try {
                boolean open = !admission.ending();
                while (open) {
                    Step step =
                            steps.next(
                                    partial.isOpen()
                                            ? PartialRevision.pollUntil()
                                            : bookmarks.pollUntil(until));
                    if (step instanceof Step.Events events) {
                        points.requireThrough(start.epoch(), events.through().revision());
                        Catalog newest = catalog.with(events.deliveries());
                        if (newest != known) {
                            known = newest;
                            filter = new ChangeFilter(query, known);
                        }
                        send(events, filter, start, owners.apply(start, known), out);
                    }
                    partial.sent(step);
                    if (partial.isOpen()) {
                        exchange.requireClient();
                    }
                    boolean over = System.nanoTime() - until >= 0 || admission.ending();
                    open = !(step instanceof Step.Ended) && (partial.isOpen() || !over);
                    OptionalLong reached = bookmarks.after(step, !open);
                    if (reached.isPresent()) {
                        points.requireThrough(start.epoch(), reached.getAsLong());
                        out.write(bytes(ChangeDocuments.bookmark(reached.getAsLong())));
                        out.flush();
                    }
                }
            } catch (StatusException e) {
                out.write(error(partial.shown(e), query.form()));
            }
        }
    }

    private long from(ReadPoint start) throws InterruptedException {
        if (query.from().isEmpty()) {
            return start.revision();
        }
        long from =
                points.revisionOf(partitions, query.from().get())
                        .orElseThrow(StatusErrors::listExpired);
        requireKnown(query.from().get(), start);
        points.requireSince(partitions, from);
        return from;
    }

    /**
     * The newest state is as new as etcd was when the request came. A client that has seen a later
     * revision has seen it before etcd was restored, and would wait for what never follows.
     */
    private void requireKnown(Moment from, ReadPoint start) {
        if (!points.arePast()
                && from instanceof Moment.Revision(long number)
                && number > start.revision()) {
            throw StatusErrors.revisionNotReached(number, start.revision());
        }
    }

    /** A client that names no begin learns at once where the stream began. */
    private StreamBookmarks bookmarks(ListOptions options, long from) {
        return query.form() == Form.NDJSON && options.allowWatchBookmarks()
                ? StreamBookmarks.every(
                        serving.times().bookmarkInterval(),
                        query.from().isPresent() ? from : from - 1,
                        query.from().isEmpty())
                : StreamBookmarks.none();
    }

    private static Duration timeout(ListOptions options) {
        long seconds = options.timeoutSeconds().orElse(DEFAULT_SECONDS);
        return Duration.ofSeconds(Math.clamp(seconds, 1, MAX_SECONDS));
    }

    /** Books all items before it sends the first, so that no error ends a part of them. */
    private void send(
            Step.Events events,
            ChangeFilter filter,
            ReadPoint at,
            RootOwners owners,
            OutputStream out)
            throws IOException, InterruptedException {
        List<ChangeItem> items = new ArrayList<>();
        TreeSet<Long> revisions = new TreeSet<>();
        long held = 0;
        for (Delivery each : events.deliveries()) {
            if (filter.pick(each.event().change()) instanceof Picked.Shown(ChangeItem item)) {
                long weight = item.weight();
                exchange.allowance().reserveAll(weight);
                held += weight;
                items.add(owners.withRoot(item));
                revisions.add(item.revision());
            }
        }
        Map<Long, Instant> times = points.timesOf(at, List.copyOf(revisions));
        ChangeDocuments documents =
                new ChangeDocuments(revision -> times.getOrDefault(revision, Instant.EPOCH));
        for (ChangeItem item : items) {
            out.write(bytes(documents.line(item, query.form())));
        }
        out.flush();
        exchange.allowance().release(held);
    }

    private static byte[] error(StatusException why, Form form) {
        return form == Form.TEXT
                ? bytes("error: " + why.status().message() + "\n")
                : bytes(
                        new String(StatusWriter.write(why.status()), StandardCharsets.UTF_8)
                                + "\n");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
