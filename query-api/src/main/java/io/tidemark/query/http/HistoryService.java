package io.tidemark.query.http;

import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.StateHeaders;
import io.tidemark.query.wire.ContinueToken;
import io.tidemark.query.wire.HistoryDocument;
import io.tidemark.query.wire.HistoryDocument.Body;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.TimeTravelOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.request.VersionPage;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Serves the versions of one key, a page at a time. No requested range is too old: the response
 * holds the versions above the floor and says where they begin.
 */
final class HistoryService {
    /** Versions per page without a limit; also its maximum. */
    private static final int MAX_VERSIONS = 500;

    private final ServingContext serving;

    HistoryService(ServingContext serving) {
        this.serving = serving;
    }

    /**
     * A request for the history of a key.
     *
     * @param body renders a version
     * @param form formats the compact document
     * @param unknown the error for a key without any known version
     */
    record Query(
            Bytes key,
            TimeTravelOptions past,
            Body body,
            String contentType,
            UnaryOperator<byte[]> form,
            Supplier<StatusException> unknown) {}

    void serve(Exchange exchange, Query query, Duration patience)
            throws IOException, InterruptedException {
        ListOptions options = ListOptions.parse(exchange.parameters());
        PartitionSet partitions = serving.watermarks().partitionsOf(KeyScope.exact(query.key()));
        ReadPoints points = ReadPoints.of(serving, exchange, patience);
        points.requirePast();
        boolean first = options.continueToken().isEmpty();
        long after = first ? 0 : after(options);
        ReadPoint at =
                first
                        ? points.fresh(partitions, options.resourceVersion())
                        : points.await(
                                partitions,
                                new RequestedState.Continued(
                                        tokenOf(options).epoch(), through(options)));
        if (!first && tokenOf(options).epoch() != at.epoch()) {
            throw StatusErrors.listExpired();
        }
        long through = first ? at.revision() : through(options);
        long limit = options.limit() > 0 ? options.limit() : MAX_VERSIONS;
        StateHeaders.show(exchange, serving, at);
        long reserved = exchange.allowance().reserve(serving.limits().listPageBytes());
        PageLimits limits = new PageLimits((int) Math.min(limit, MAX_VERSIONS), (int) reserved);
        VersionPage page = versions(query.key(), at, after, through, limits);
        exchange.memory().take(Math.max(0, bytesOf(page) - reserved));
        exchange.allowance().addLoaded(bytesOf(page));
        if (first && page.versions().isEmpty()) {
            throw query.unknown().get();
        }
        Body body =
                query.past().objects()
                        ? query.body()
                        : (_, _) -> new HistoryDocument.VersionContent.Omitted();
        byte[] document = HistoryDocument.write(through, token(page, through, at), page, body);
        exchange.memory().take(document.length);
        byte[] shown = query.form().apply(document);
        exchange.memory().take(shown.length);
        exchange.response().answer(200, query.contentType(), shown);
    }

    private VersionPage versions(
            Bytes key, ReadPoint at, long after, long through, PageLimits limits)
            throws InterruptedException {
        try {
            return serving.view().versions(key, at, after, through, limits);
        } catch (RevisionExpiredException e) {
            throw e.status();
        }
    }

    private static long bytesOf(VersionPage page) {
        return page.versions().stream()
                .mapToLong(version -> MergedScan.bytesHeld(version.object()))
                .sum();
    }

    private static String token(VersionPage page, long through, ReadPoint at) {
        return page.throughRevision() >= through
                ? ""
                : new ContinueToken(through, Long.toString(page.throughRevision()), at.epoch())
                        .encode();
    }

    /** All pages of a history end at the revision of the first page. */
    private static long through(ListOptions options) {
        if (options.wantsRevision()) {
            throw StatusErrors.badRequest(
                    "specifying resource version is not allowed when using continue");
        }
        long revision = tokenOf(options).revision();
        if (revision < 1) {
            throw badToken();
        }
        return revision;
    }

    private static long after(ListOptions options) {
        String start = tokenOf(options).start();
        try {
            return Math.max(0, Long.parseLong(start));
        } catch (NumberFormatException _) {
            throw badToken();
        }
    }

    private static ContinueToken tokenOf(ListOptions options) {
        return ContinueToken.decodeAnyStart(options.continueToken());
    }

    private static StatusException badToken() {
        return StatusErrors.badRequest("invalid continue token: not a token of a history request");
    }
}
