package io.tidemark.connector.lead;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The group whose members elect a leader: the one to which the group assigns its only partition.
 * Its answer may be outdated for a moment, for example when a suspended process resumes.
 */
public interface ElectionGroup {
    /** What a member learns from the group, in {@link Membership#poll} and when it leaves. */
    interface Assignments {
        /** This member leads. */
        void assigned();

        /** Another member leads, or will. */
        void unassigned();

        /** This member no longer leads. */
        void revoked();
    }

    /** One stay in the group. For one thread. */
    interface Membership extends AutoCloseable {
        /**
         * Exchanges news with the group.
         *
         * @param timeout of the wait for news
         * @return false when this membership must be replaced at once by another
         */
        boolean poll(Duration timeout);

        /** Whether the group has another member; false when it does not answer. */
        boolean hasOthers() throws InterruptedException;

        /** Leaves the group, so that another member is elected at once; bounded in time. */
        @Override
        void close();
    }

    /**
     * Joins the group.
     *
     * @throws org.apache.kafka.common.KafkaException likewise, when the group cannot be reached
     */
    Membership join(Assignments assignments)
            throws ExecutionException, TimeoutException, InterruptedException;
}
