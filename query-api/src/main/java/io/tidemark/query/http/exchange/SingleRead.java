package io.tidemark.query.http.exchange;

import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.Parameters;
import io.tidemark.query.wire.TimeTravelOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/**
 * Reads one key, as fresh as {@code resourceVersion} asks or as of the past. The API server
 * evaluates {@code resourceVersionMatch} for lists only; here {@code Exact} works for single
 * objects too. No Kubernetes client sends it for those.
 */
public final class SingleRead {
    /** Bytes booked before the size of the object is known. */
    private static final int LEAST_BYTES = 16 << 10;

    private final ServingContext serving;
    private final ReadPoints points;

    /**
     * @param points of the request
     */
    public SingleRead(ServingContext serving, ReadPoints points) {
        this.serving = serving;
        this.points = points;
    }

    /**
     * The key's current or past object; books its memory for the exchange.
     *
     * @param projection the part of the object that is needed
     * @throws io.tidemark.serving.status.StatusException 410 for a revision or a time below the
     *     floor, 504 for a state that did not arrive, 429 when no memory is free
     */
    public Optional<StoredObject> get(
            Exchange exchange, Bytes key, TimeTravelOptions past, Projection projection)
            throws InterruptedException {
        PartitionSet partitions = serving.watermarks().partitionsOf(KeyScope.exact(key));
        Parameters parameters = exchange.parameters();
        long revision = ListOptions.revisionOf(parameters.text("resourceVersion"));
        boolean exact =
                revision > 0 && parameters.text("resourceVersionMatch").equals(ListOptions.EXACT);
        boolean fixed = exact || past.at().isPresent() || points.arePast();
        exchange.memory().take(LEAST_BYTES);
        for (int attempt = 1; ; attempt++) {
            ReadPoint at = point(exchange, partitions, past, exact);
            StateHeaders.show(exchange, serving, at);
            if (fixed) {
                exchange.response().setHeader(StateHeaders.REVISION, Long.toString(at.revision()));
            }
            try {
                Optional<StoredObject> found = serving.view().get(key, at, projection);
                long held = found.map(MergedScan::bytesHeld).orElse(0L);
                exchange.memory().take(Math.max(0, held - LEAST_BYTES));
                exchange.allowance().addLoaded(held);
                return found;
            } catch (RevisionExpiredException e) {
                if (fixed || attempt == ReadPoints.ATTEMPTS) {
                    String requested =
                            exact
                                    ? parameters.text("resourceVersion")
                                    : Long.toString(e.revision());
                    throw e.replacement()
                            .orElseGet(() -> StatusErrors.revisionExpired(requested, e.floor()));
                }
            }
        }
    }

    private ReadPoint point(
            Exchange exchange, PartitionSet partitions, TimeTravelOptions past, boolean exact)
            throws InterruptedException {
        if (past.at().isPresent()) {
            return points.at(partitions, past.at().get());
        }
        String requested = exchange.parameters().text("resourceVersion");
        return exact
                ? points.await(
                        partitions,
                        new RequestedState.Exactly(ListOptions.revisionOf(requested), requested))
                : points.fresh(partitions, requested);
    }
}
