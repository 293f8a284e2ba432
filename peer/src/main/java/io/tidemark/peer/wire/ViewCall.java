package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.PartitionView;
import io.tidemark.view.Projection;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.RevisionAtTime;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.StoredObject;
import io.tidemark.view.UnreadablePage;
import io.tidemark.view.VersionPage;
import io.tidemark.view.VersionsRequest;
import java.util.Optional;
import java.util.function.Function;

/**
 * One call to a partition view, as data: so a remote replica can be asked the same as a local one.
 *
 * @param <T> what the answer holds
 */
public sealed interface ViewCall<T> {
    /** {@link PartitionView#get}. */
    record Get(Bytes key, long atRevision, Projection projection)
            implements ViewCall<Optional<StoredObject>> {
        @Override
        public long revision() {
            return atRevision;
        }

        @Override
        public ReadOutcome<Optional<StoredObject>> executeOn(PartitionView view) {
            return view.get(key, atRevision, projection);
        }

        @Override
        public AnswerCodec<Optional<StoredObject>> answer() {
            return AnswerCodec.OBJECT;
        }
    }

    /** {@link PartitionView#scan}. */
    record Scan(ScanRequest request) implements ViewCall<ScanPage> {
        @Override
        public long revision() {
            return request.atRevision();
        }

        @Override
        public ReadOutcome<ScanPage> executeOn(PartitionView view) {
            return view.scan(request);
        }

        @Override
        public AnswerCodec<ScanPage> answer() {
            return AnswerCodec.OBJECTS;
        }
    }

    /** {@link PartitionView#changes}. */
    record Changes(ChangesRequest request) implements ViewCall<ChangePage> {
        @Override
        public long revision() {
            return request.afterRevision();
        }

        @Override
        public long throughRevision() {
            return request.throughRevision();
        }

        @Override
        public ReadOutcome<ChangePage> executeOn(PartitionView view) {
            return view.changes(request);
        }

        @Override
        public Optional<ChangePage> readFromCache(
                Function<ChangesRequest, Optional<ChangePage>> changes) {
            return changes.apply(request);
        }

        @Override
        public AnswerCodec<ChangePage> answer() {
            return AnswerCodec.CHANGES;
        }
    }

    /** {@link PartitionView#versions}; a replica with a higher floor returns fewer. */
    record Versions(VersionsRequest request) implements ViewCall<VersionPage> {
        @Override
        public long revision() {
            return 0;
        }

        @Override
        public long throughRevision() {
            return request.throughRevision();
        }

        @Override
        public ReadOutcome<VersionPage> executeOn(PartitionView view) {
            return view.versions(request);
        }

        @Override
        public AnswerCodec<VersionPage> answer() {
            return AnswerCodec.VERSIONS;
        }
    }

    /** {@link PartitionView#revisionAt}. */
    record RevisionAt(long timeMillis) implements ViewCall<RevisionAtTime> {
        @Override
        public long revision() {
            return 0;
        }

        /** Only the replica with the highest watermark knows all of the newest times. */
        @Override
        public long throughRevision() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isCompleteAnswer(RevisionAtTime answer) {
            return answer.revision().isPresent();
        }

        @Override
        public ReadOutcome<RevisionAtTime> executeOn(PartitionView view) {
            return view.revisionAt(timeMillis);
        }

        @Override
        public AnswerCodec<RevisionAtTime> answer() {
            return AnswerCodec.REVISION;
        }
    }

    /** {@link PartitionView#unreadable}; not at an exact revision. */
    record Unreadable(Bytes prefix, int max) implements ViewCall<UnreadablePage> {
        @Override
        public long revision() {
            return 0;
        }

        @Override
        public ReadOutcome<UnreadablePage> executeOn(PartitionView view) {
            return view.unreadable(prefix, max);
        }

        @Override
        public AnswerCodec<UnreadablePage> answer() {
            return AnswerCodec.UNREADABLE;
        }
    }

    /** The revision that a replica must hold to answer; 0 when any replica can. */
    long revision();

    /** A replica whose watermark has reached this answers in full; another may answer in part. */
    default long throughRevision() {
        return revision();
    }

    /** Whether no other replica can know more; if not, replicas with a lower floor are asked. */
    default boolean isCompleteAnswer(T answer) {
        return true;
    }

    ReadOutcome<T> executeOn(PartitionView view);

    /** Answers from cached changes, if this is a call for changes and the cache suffices. */
    default Optional<T> readFromCache(Function<ChangesRequest, Optional<ChangePage>> changes) {
        return Optional.empty();
    }

    AnswerCodec<T> answer();
}
