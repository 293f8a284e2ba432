package io.tidemark.simulation.promise;

import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelFilter;
import java.util.List;

/**
 * One LIST or GET, over all its pages.
 *
 * @param epoch number of etcd's history that it shows
 * @param mirrorEpoch the mirror's epoch; 0 for no certain one
 * @param acknowledgedAtBegin the newest revision that etcd had acknowledged when it began
 * @param etcdCutThroughout whether the connector could not reach etcd from its begin to its end
 */
public record RecordedRead(
        long epoch,
        long mirrorEpoch,
        ModelFilter interest,
        RequestedFreshness ask,
        Answer answer,
        long beganAtMillis,
        long endedAtMillis,
        long acknowledgedAtBegin,
        boolean etcdCutThroughout)
        implements Observation {
    public RecordedRead(
            long epoch,
            ModelFilter interest,
            RequestedFreshness ask,
            Answer answer,
            long beganAtMillis,
            long endedAtMillis,
            long acknowledgedAtBegin,
            boolean etcdCutThroughout) {
        this(
                epoch,
                0,
                interest,
                ask,
                answer,
                beganAtMillis,
                endedAtMillis,
                acknowledgedAtBegin,
                etcdCutThroughout);
    }

    /** The requested freshness. */
    public sealed interface RequestedFreshness {
        /** No resourceVersion: as fresh as etcd. */
        record Now() implements RequestedFreshness {}

        /** resourceVersion=N. */
        record AtLeast(long revision) implements RequestedFreshness {}

        /** resourceVersionMatch=Exact. */
        record Exactly(long revision) implements RequestedFreshness {}

        /** resourceVersion=0: any state. */
        record Any() implements RequestedFreshness {}
    }

    /** The result. */
    public sealed interface Answer {
        /**
         * @param revision of the metadata
         * @param stalenessMillis that the server reported
         */
        record Listed(long revision, List<Page> pages, long stalenessMillis) implements Answer {
            public Listed {
                pages = List.copyOf(pages);
            }
        }

        /** 504. */
        record TimedOut() implements Answer {}

        /** 410. */
        record Gone(long floor) implements Answer {}

        /** 503 with Retry-After: no replica is up. */
        record Unavailable() implements Answer {}
    }

    /**
     * @param revision of this page's metadata
     */
    public record Page(long revision, List<Item> items) {
        public Page {
            items = List.copyOf(items);
        }
    }

    @Override
    public long newestRevision() {
        return answer instanceof Answer.Listed listed ? listed.revision() : 0;
    }

    @Override
    public String toString() {
        return "read of %s, %s, in epoch %d".formatted(interest, ask, epoch);
    }
}
