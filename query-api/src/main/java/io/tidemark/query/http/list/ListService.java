package io.tidemark.query.http.list;

import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.group.ObjectScans;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ResponseBody;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.StateHeaders;
import io.tidemark.query.http.exchange.UnreadableObjects;
import io.tidemark.query.wire.ListOptionsRules;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Projection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Serves LIST over HTTP, each list at exactly one revision. {@link ListStart} chooses the revision
 * by the request's resourceVersion and continue token, and waits until every partition that the
 * request needs has applied it. {@link MergedScan} then reads these partitions at that revision, a
 * page of each at a time, and merges the objects by key. If the revision is compacted meanwhile,
 * the list begins again at a newer one, or fails with 410 if the client asked for exactly this one.
 *
 * <p>Without a limit, objects are streamed from the stores to the client a page at a time; with
 * one, the page is collected first, because its metadata precedes the items.
 */
public final class ListService {
    private final ServingContext serving;
    private final ListPages pages;

    /**
     * @param serving the node's stores, settings and metrics
     */
    public ListService(ServingContext serving) {
        this.serving = serving;
        this.pages =
                new ListPages(
                        serving.view(),
                        serving.limits().scanPage(),
                        serving.limits().listPageBytes());
    }

    /**
     * Writes the whole response.
     *
     * @param patience longest wait for the requested state
     * @throws StatusException the error to answer with, such as 410, 429 or 504
     * @throws RevisionExpiredException if the revision is compacted after the response has begun
     * @throws IOException if the client has disconnected
     */
    public void serve(Exchange exchange, ListQuery query, Duration patience)
            throws IOException, InterruptedException {
        ListOptionsRules.checkList(query.options());
        PartitionSet partitions = serving.watermarks().partitionsOf(query.scope());
        ReadPoints points = ReadPoints.of(serving, exchange, patience);
        for (int attempt = 1; ; attempt++) {
            ListStart start = ListStart.of(query, partitions, points);
            try {
                serveFrom(exchange, query, start);
                return;
            } catch (RevisionExpiredException e) {
                if (exchange.response().isCommitted()) {
                    throw e;
                }
                if (!start.isRetried(attempt)) {
                    throw start.expired(query);
                }
                exchange.response().discard();
                exchange.memory().releaseAll();
            }
        }
    }

    private void serveFrom(Exchange exchange, ListQuery query, ListStart start)
            throws IOException, InterruptedException {
        StateHeaders.show(exchange, serving, start.at());
        if (query.selection().kubernetesOnly()) {
            UnreadableObjects.warn(exchange, serving, query.scope(), query.label());
        }
        ListEncoder form = form(exchange, query, start);
        if (exchange.isHead()) {
            requireReadable(exchange, query, start);
            exchange.response().answer(200, query.contentType(), new byte[0]);
            return;
        }
        // For metrics. A list in gzip may begin many, which need not stay in memory.
        List<MergedScan> first = new ArrayList<>(1);
        try (ResponseBody body = exchange.response().body(200, query.contentType())) {
            long objects =
                    write(
                            exchange,
                            query,
                            start,
                            form,
                            (projection, from) -> {
                                MergedScan begun = scan(exchange, query, start, from, projection);
                                if (first.isEmpty()) {
                                    first.add(begun);
                                }
                                return begun;
                            },
                            body);
            body.finish();
            serving.metrics().listed(query.label(), objects, body.written());
            MergedScan scan = first.getFirst();
            serving.metrics().found(query.label(), scan.accessPath(), scan.keysScanned());
        }
    }

    private long write(
            Exchange exchange,
            ListQuery query,
            ListStart start,
            ListEncoder form,
            ObjectScans scans,
            ResponseBody body)
            throws IOException, InterruptedException {
        if (!ListPages.isLimited(query)) {
            return ListWriter.writeAll(
                    form,
                    query.meta(start.at().revision(), "", 0),
                    query.unselected(),
                    scans,
                    body);
        }
        MergedScan scan = scans.begin(form.projection());
        return ListWriter.writePage(
                form, pages.read(query, start, scan, exchange.allowance()), scan, body);
    }

    private MergedScan scan(
            Exchange exchange,
            ListQuery query,
            ListStart start,
            Bytes from,
            Projection projection) {
        return serving.view()
                .scan(
                        query.scope(),
                        query.selection(),
                        from.length() > 0 ? from : start.from(),
                        start.at(),
                        pages.scanPage(query),
                        projection,
                        exchange.allowance());
    }

    private ListEncoder form(Exchange exchange, ListQuery query, ListStart start)
            throws InterruptedException {
        try {
            ListEncoder form = query.form().get();
            Projection _ = form.projection();
            return form;
        } catch (StatusException notAcceptable) {
            requireReadable(exchange, query, start);
            throw notAcceptable;
        }
    }

    /**
     * Fails if an exact revision is compacted, which only a read shows; that error takes
     * precedence.
     */
    private void requireReadable(Exchange exchange, ListQuery query, ListStart start)
            throws InterruptedException {
        if (start.exact()) {
            boolean _ = scan(exchange, query, start, start.from(), Projection.METADATA).hasNext();
        }
    }
}
