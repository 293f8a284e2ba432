package io.tidemark.query.group;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.view.object.Projection;

/** Begins the scans of one response, all of the same objects at the same revision. */
@FunctionalInterface
public interface ObjectScans {
    /**
     * Begins a scan; nothing is read before its first object.
     *
     * @param fromInclusive where it begins; {@link Bytes#EMPTY} for the first object
     */
    MergedScan begin(Projection projection, Bytes fromInclusive);

    /** Begins a scan of all objects. */
    default MergedScan begin(Projection projection) {
        return begin(projection, Bytes.EMPTY);
    }
}
