package io.tidemark.query.http;

import io.tidemark.serving.read.Freshness;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.Parameters;
import io.tidemark.query.wire.TimeTravelOptions;
import io.tidemark.record.Bytes;
import io.tidemark.view.Projection;
import io.tidemark.view.StoredObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads one key: as fresh as {@code resourceVersion} asks, or as it was. The API server looks at
 * {@code resourceVersionMatch} for lists only; here {@code Exact} means the same for one object. No
 * client sends it there, and one that did would have to expect an object that is as new.
 */
final class SingleRead {
    /** At which revision an answer is that was asked for in the past. */
    static final String REVISION = "X-Tidemark-Revision";

    /** Booked before it is known how large the object is. */
    private static final int LEAST_BYTES = 16 << 10;

    private final ServingContext serving;
    private final Freshness freshness;

    /**
     * @param patience for the state that was asked for
     */
    SingleRead(ServingContext serving, Duration patience) {
        this.serving = serving;
        this.freshness = serving.freshness().within(patience);
    }

    /**
     * What the key holds, or held; booked for the exchange's answer.
     *
     * @param projection how much of it is needed
     * @throws io.tidemark.serving.status.StatusException 410 for a revision or a time that is no
     *     longer known, 504 for a state that did not arrive, 429 when there is no memory for it
     */
    Optional<StoredObject> get(
            Exchange exchange, Bytes key, TimeTravelOptions past, Projection projection)
            throws InterruptedException {
        PartitionSet partitions = serving.watermarks().partitionsOf(KeyScope.exact(key));
        Parameters parameters = exchange.parameters();
        long revision = ListOptions.revisionOf(parameters.text("resourceVersion"));
        boolean exact =
                revision > 0 && parameters.text("resourceVersionMatch").equals(ListOptions.EXACT);
        try {
            ReadPoint at = point(exchange, partitions, past, exact);
            exchange.asOf(at.asOfMillis());
            if (exact || past.at().isPresent()) {
                exchange.setHeader(REVISION, Long.toString(at.revision()));
            }
            exchange.memory().take(LEAST_BYTES);
            Optional<StoredObject> found = serving.view().get(key, at, projection);
            long more = found.map(MergedScan::bytesHeld).orElse(0L) - LEAST_BYTES;
            exchange.memory().take(Math.max(0, more));
            return found;
        } catch (RevisionExpiredException e) {
            String asked = parameters.text("resourceVersion");
            throw e.replacement().orElseGet(() -> StatusErrors.revisionExpired(asked, e.floor()));
        }
    }

    private ReadPoint point(
            Exchange exchange, PartitionSet partitions, TimeTravelOptions past, boolean exact)
            throws InterruptedException {
        if (past.at().isPresent()) {
            return serving.timeTravel().at(partitions, past.at().get(), freshness);
        }
        String requested = exchange.parameters().text("resourceVersion");
        return exact
                ? freshness.exactly(partitions, ListOptions.revisionOf(requested), requested)
                : fresh(partitions, requested);
    }

    /** As fresh as a resourceVersion asks. */
    ReadPoint fresh(PartitionSet partitions, String requested) throws InterruptedException {
        long revision = ListOptions.revisionOf(requested);
        if (requested.isEmpty()) {
            return freshness.latest(partitions);
        }
        return revision == 0
                ? freshness.any(partitions)
                : freshness.notOlderThan(partitions, revision, requested);
    }
}
