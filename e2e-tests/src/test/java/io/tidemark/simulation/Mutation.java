package io.tidemark.simulation;

import io.tidemark.simulation.promise.ReadGuarantees;
import io.tidemark.simulation.world.LogRecord;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.PartitionView;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A mistake that is put between the parts of production on purpose, to see that a promise catches
 * it. Each method stands at one seam and changes nothing by itself.
 */
interface Mutation {
    /** No mistake. */
    Mutation NONE = new Mutation() {};

    /** Between a store and whoever reads it. */
    default PartitionView view(PartitionView view) {
        return view;
    }

    /**
     * Between the topic and a store.
     *
     * @param node that the store is on
     * @param restoring whether the store has not yet caught up
     * @return what the store is to see of it; empty for nothing
     */
    default Optional<LogRecord> record(LogRecord record, int node, boolean restoring) {
        return Optional.of(record);
    }

    /** Between the merge of the partitions and the watch. */
    default List<ObjectChange> merged(List<ObjectChange> changes) {
        return changes;
    }

    /** What a bookmark says, given how far the watch is and how far etcd is. */
    default long bookmark(long throughRevision, long etcdRevision) {
        return throughRevision;
    }

    /**
     * What a barrier answers.
     *
     * @param revision empty when etcd could not be asked
     * @param newestKnown the newest revision that is known without asking
     */
    default OptionalLong barrier(OptionalLong revision, long newestKnown) {
        return revision;
    }

    /** Whether a read waits for the revision that it was asked for. */
    default boolean waits() {
        return true;
    }

    /** How long it waits at most. */
    default long patienceMillis() {
        return ReadGuarantees.WAIT_MILLIS;
    }

    /** Whether a client that has met a newer epoch is kept from the replicas of an older one. */
    default boolean epochsEnd() {
        return true;
    }
}
