package io.tidemark.selfcheck;

import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import java.util.List;

/** The open replicas of a node, active and standby alike. */
public interface OpenReplicas {
    /** How many partitions the mirror has; 0 while unknown. */
    int partitions();

    /** The open replicas, in order. */
    List<OpenReplica> copies();

    /** One replica from its opening to its end; opened again, it is another one. */
    interface OpenReplica {
        int partition();

        PartitionState state();

        /** Why a read found the data corrupt; empty when none did. */
        String fault();

        /** The forms of objects that it holds, each with all keys; whole objects first. */
        List<Projection> forms();

        /** A page of the keys of a form, as of a revision. */
        ReadOutcome<KeysPage> keys(KeysRequest request);

        /**
         * Sets this replica's data aside and starts to read it from the topic again. Until that is
         * done this node does not answer for the partition. Returns at once.
         *
         * @return false when this replica is no longer open
         */
        boolean rebuild(String why);

        /** Whether both are the same opening of the same store. */
        boolean isSameAs(OpenReplica other);
    }
}
