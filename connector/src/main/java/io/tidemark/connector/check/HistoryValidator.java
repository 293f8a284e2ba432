package io.tidemark.connector.check;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks that etcd still has the history that the feed writes: what is read of etcd between two
 * checks belongs to that history when both succeed.
 *
 * @param written the history that the feed writes; null while it writes none
 */
record HistoryValidator(EtcdSource source, Supplier<ResumePoint.@Nullable At> written) {
    static final String NOT_FOLLOWING = "this connector does not follow etcd now";

    /** The feed's position; null while it does not follow etcd. */
    ResumePoint.@Nullable At now() {
        return written.get();
    }

    /** Why etcd's current state does not belong to the written history; empty when it does. */
    Optional<String> mismatchReason(ResumePoint.@Nullable At at) {
        if (at == null || at.revision() < 1) {
            return Optional.of(NOT_FOLLOWING);
        }
        EtcdSource.Newest now = source.newest();
        return now.clusterId() != at.clusterId() || now.revision() < at.revision()
                ? Optional.of("this is not the etcd that was mirrored, or it was restored")
                : Optional.empty();
    }

    static boolean isSame(ResumePoint.At before, ResumePoint.At after) {
        return before.epoch() == after.epoch()
                && before.clusterId() == after.clusterId()
                && before.revision() <= after.revision();
    }
}
