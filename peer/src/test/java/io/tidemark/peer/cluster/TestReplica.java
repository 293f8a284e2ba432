package io.tidemark.peer.cluster;

import io.tidemark.peer.TestObjects;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A replica whose one object contains, at every revision, the epoch and revision it was read at; a
 * revision's time is the millisecond of its number. The state it shows may be older than its actual
 * one, as with a remote replica.
 */
final class TestReplica implements Replica {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private PartitionState actual = PartitionState.EMPTY;
    private PartitionState shown = PartitionState.EMPTY;
    private boolean dead;
    private boolean isRefusedHere;
    private boolean isDegraded;
    int asked;

    /** The page that it has in memory. */
    Optional<ChangePage> recent = Optional.empty();

    /** The object as read in an epoch at a revision. */
    static StoredObject object(long epoch, long revision) {
        return TestObjects.of(Bytes.utf8("key"), epoch + "@" + revision, revision);
    }

    static PartitionState at(long epoch, long floor, long watermark) {
        return new PartitionState(
                true, epoch, 1, floor, watermark, watermark, watermark, watermark, 0, "");
    }

    TestReplica become(PartitionState next) {
        actual = next;
        return this;
    }

    /** Shows its actual state. */
    TestReplica show() {
        shown = dead ? PartitionState.EMPTY : actual;
        listeners.forEach(Runnable::run);
        return this;
    }

    /** Answers nothing from now on; its shown state stays until {@link #show}. */
    void die() {
        dead = true;
    }

    /** Reads of it fail at this node, which lacks the memory for its answers. */
    void refuseHere(boolean refuse) {
        isRefusedHere = refuse;
    }

    /** Its node announces that it leaves. */
    void leave() {
        isDegraded = true;
    }

    void live() {
        dead = false;
    }

    PartitionState actual() {
        return actual;
    }

    int listeners() {
        return listeners.size();
    }

    boolean isDead() {
        return dead;
    }

    @Override
    public PartitionState state() {
        return shown;
    }

    @Override
    public boolean isDegraded() {
        return isDegraded;
    }

    @Override
    @SuppressWarnings("unchecked") // A request is typed by its answer.
    public <T> Answer<T> ask(ReadRequest<T> request) {
        asked++;
        if (isRefusedHere) {
            return new Answer<>(
                    new ReadOutcome.ReplicaUnavailable<>("no memory"), PartitionState.EMPTY, false);
        }
        if (dead) {
            return new Answer<>(new ReadOutcome.ReplicaUnavailable<>("dead"), PartitionState.EMPTY);
        }
        if (request instanceof RevisionAtRequest(long time)) {
            return new Answer<>(
                    (ReadOutcome<T>) new ReadOutcome.Served<>(revisionAt(time)), actual);
        }
        if (request instanceof ChangesRequest changes
                && changes.afterRevision() >= actual.floor()) {
            long through = Math.min(changes.throughRevision(), actual.watermark());
            ChangePage page = new ChangePage(List.of(), Math.max(changes.afterRevision(), through));
            return new Answer<>((ReadOutcome<T>) new ReadOutcome.Served<>(page), actual);
        }
        ReadOutcome<Optional<StoredObject>> outcome =
                !actual.ready()
                        ? new ReadOutcome.ReplicaUnavailable<>("not ready")
                        : request.revision() < actual.floor()
                                ? new ReadOutcome.Expired<>(actual.floor())
                                : request.revision() > actual.watermark()
                                        ? new ReadOutcome.TooNew<>(actual.watermark())
                                        : new ReadOutcome.Served<>(
                                                Optional.of(
                                                        object(
                                                                actual.epoch(),
                                                                request.revision())));
        return new Answer<>((ReadOutcome<T>) outcome, actual);
    }

    private RevisionAtTime revisionAt(long time) {
        OptionalLong revision =
                time < actual.floor()
                        ? OptionalLong.empty()
                        : OptionalLong.of(Math.min(time, actual.watermark()));
        return new RevisionAtTime(revision, time < actual.watermark(), actual.floor());
    }

    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        return actual.epoch() == epoch ? recent : Optional.empty();
    }

    @Override
    public Subscription onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
