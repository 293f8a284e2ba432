package io.tidemark.selfcheck;

import io.tidemark.view.KeysPage;
import io.tidemark.view.KeysRequest;
import io.tidemark.view.PartitionState;
import io.tidemark.view.ReadOutcome;
import java.util.List;

/** The copies of partitions that a node holds, active and standby alike. */
public interface OpenReplicas {
    /** How many partitions the mirror has; 0 when that is not known yet. */
    int partitions();

    /** Those that are open now, in order. */
    List<OpenReplica> copies();

    /** One copy, from its opening to its end: one that is opened again is another one. */
    interface OpenReplica {
        int partition();

        PartitionState state();

        /** Why a read found that the data cannot be trusted any more; empty when none did. */
        String fault();

        /** What lies in it, as of a revision. */
        ReadOutcome<KeysPage> keys(KeysRequest request);

        /**
         * Puts the data of this copy aside and has it read from the topic again. Until that is done
         * this node does not answer for the partition. Returns at once.
         *
         * @return false when this copy is not here any more
         */
        boolean rebuild(String why);

        /** Whether both stand for the same opening of the same store. */
        boolean isSameAs(OpenReplica other);
    }
}
