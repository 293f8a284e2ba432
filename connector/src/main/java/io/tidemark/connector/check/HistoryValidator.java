package io.tidemark.connector.check;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The history that the feed writes, and whether etcd still has it: what is read of etcd between two
 * looks at it is of that history when both say so.
 *
 * @param written what the feed writes; null while it does not
 */
record HistoryValidator(EtcdSource source, Supplier<ResumePoint.@Nullable At> written) {
    static final String NOT_FOLLOWING = "this connector does not follow etcd now";

    /** Where the feed stands; null while it does not follow etcd. */
    ResumePoint.@Nullable At now() {
        return written.get();
    }

    /** Why what etcd says now is not of the history that is written. */
    Optional<String> mismatchReason(ResumePoint.@Nullable At at) throws EtcdException {
        if (at == null || at.revision() < 1) {
            return Optional.of(NOT_FOLLOWING);
        }
        EtcdSource.Newest now = source.newest();
        return now.clusterId() != at.clusterId() || now.revision() < at.revision()
                ? Optional.of("etcd is another one than the mirror's")
                : Optional.empty();
    }

    static boolean isSame(ResumePoint.At before, ResumePoint.At after) {
        return before.epoch() == after.epoch()
                && before.clusterId() == after.clusterId()
                && before.revision() <= after.revision();
    }
}
