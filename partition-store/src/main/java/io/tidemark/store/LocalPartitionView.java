package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.store.KeyValueEngine.Snapshot;
import io.tidemark.store.ReadExecutor.BusyException;
import io.tidemark.store.ReadExecutor.Kind;
import io.tidemark.store.TimeSamples.RevisionTimes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.KeysPage;
import io.tidemark.view.KeysRequest;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves reads from a store in this process. Each read uses one snapshot of the engine, and takes
 * floor and watermark from the same snapshot: so no write or trim can come between the check of a
 * revision and the read at it.
 */
final class LocalPartitionView implements PartitionView {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPartitionView.class);

    private final int partition;
    private final KeyValueEngine engine;
    private final List<IndexSettings.Declared> indexes;
    private final ReadExecutor gate;
    private final ScanLimits limits;
    private final long slotMillis;
    private final ReadGuard guard = new ReadGuard();
    private final Listeners listeners;
    private volatile PartitionState state = PartitionState.EMPTY;
    private volatile String fault = "";

    LocalPartitionView(
            int partition,
            KeyValueEngine engine,
            StoreSettings settings,
            ReadExecutor gate,
            ScanLimits limits) {
        this.partition = partition;
        this.listeners = new Listeners(partition);
        this.engine = engine;
        this.indexes = settings.indexes().declared();
        this.slotMillis = TimeSamples.slotMillis(settings);
        this.gate = gate;
        this.limits = limits;
    }

    /** Publishes a new state and notifies the listeners; called by the applying thread. */
    void publish(PartitionState next) {
        if (next.equals(state)) {
            return;
        }
        state = next;
        listeners.notifyListeners();
    }

    /** Returns when no read is inside the engine any more; none can enter afterwards. */
    void close() {
        guard.close();
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public PartitionState state() {
        return state;
    }

    @Override
    public ReadOutcome<Optional<StoredObject>> get(Bytes key, long atRevision) {
        return get(key, atRevision, Projection.WHOLE);
    }

    @Override
    public ReadOutcome<Optional<StoredObject>> get(
            Bytes key, long atRevision, Projection projection) {
        return readState(
                Kind.POINT,
                atRevision,
                reader -> Optional.ofNullable(reader.get(key, atRevision, projection)));
    }

    @Override
    public ReadOutcome<ScanPage> scan(ScanRequest request) {
        return readState(
                Kind.SCAN,
                request.atRevision(),
                reader -> {
                    try (RangeScan scan = new RangeScan(reader, request, indexes, limits)) {
                        return scan.page();
                    }
                });
    }

    /** The next page, in key order, of all keys as of one revision. */
    ReadOutcome<KeysPage> keys(KeysRequest request) {
        return read(
                Kind.CHECK,
                snapshot -> {
                    FoldState at = FoldState.decode(snapshot.get(Family.META, KeyLayout.STATE));
                    if (at.epoch != request.epoch()) {
                        return new ReadOutcome.ReplicaUnavailable<>(
                                "partition %d is in epoch %d".formatted(partition, at.epoch));
                    }
                    return read(
                            snapshot,
                            request.atRevision(),
                            reader -> {
                                try (KeyScan scan = new KeyScan(reader, request, limits)) {
                                    return scan.page();
                                }
                            });
                });
    }

    /** Why a read found this replica's data corrupt; empty when none did. */
    String fault() {
        return fault;
    }

    @Override
    public ReadOutcome<ChangePage> changes(ChangesRequest request) {
        return read(
                Kind.CHANGES,
                snapshot ->
                        read(
                                snapshot,
                                request.afterRevision(),
                                reader -> new ChangeScan(reader, request, limits).page()));
    }

    @Override
    public ReadOutcome<VersionPage> versions(VersionsRequest request) {
        return read(
                Kind.SCAN,
                snapshot -> {
                    FoldState at = FoldState.decode(snapshot.get(Family.META, KeyLayout.STATE));
                    if (!at.isReadable()) {
                        return beingListed();
                    }
                    try (RevisionReader reader = new RevisionReader(snapshot, at);
                            RevisionTimes dating = new RevisionTimes(snapshot, at, slotMillis)) {
                        return new ReadOutcome.Served<>(
                                new VersionScan(reader, request, dating).page());
                    }
                });
    }

    @Override
    public ReadOutcome<RevisionAtTime> revisionAt(long timeMillis) {
        return read(
                Kind.POINT,
                snapshot -> {
                    FoldState at = FoldState.decode(snapshot.get(Family.META, KeyLayout.STATE));
                    return at.isReadable()
                            ? new ReadOutcome.Served<>(
                                    TimeSamples.at(snapshot, at, timeMillis, slotMillis))
                            : beingListed();
                });
    }

    @Override
    public ReadOutcome<UnreadablePage> unreadable(Bytes prefix, int max) {
        return read(
                Kind.POINT,
                snapshot -> new ReadOutcome.Served<>(UnreadableKeys.page(snapshot, prefix, max)));
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }

    /** Inside a bridged gap there are net changes to read, but no state that etcd ever had. */
    private <T> ReadOutcome<T> readState(
            Kind kind, long revision, Function<RevisionReader, T> body) {
        return read(
                kind,
                snapshot -> {
                    FoldState at = FoldState.decode(snapshot.get(Family.META, KeyLayout.STATE));
                    return at.isInGap(revision) && at.isReadable()
                            ? new ReadOutcome.Expired<>(at.bridgedThrough)
                            : read(snapshot, revision, body);
                });
    }

    private <T> ReadOutcome<T> read(Kind kind, Function<Snapshot, ReadOutcome<T>> body) {
        if (!state.ready()) {
            return new ReadOutcome.ReplicaUnavailable<>("partition " + partition + " is not ready");
        }
        try {
            return gate.pass(kind, () -> readGuarded(body));
        } catch (BusyException e) {
            return new ReadOutcome.ReplicaUnavailable<>(
                    "partition " + partition + ": " + e.getMessage());
        }
    }

    /** Runs on a thread of the read executor. */
    private <T> ReadOutcome<T> readGuarded(Function<Snapshot, ReadOutcome<T>> body) {
        if (!guard.enter()) {
            return new ReadOutcome.ReplicaUnavailable<>(
                    "partition " + partition + " has left this node");
        }
        try (Snapshot snapshot = engine.snapshot()) {
            return body.apply(snapshot);
        } catch (EngineException e) {
            LOG.error("partition {}: a read failed", partition, e);
            if (e.isCorrupt()) {
                fault = e.getMessage() + ": " + e.getCause();
            }
            return new ReadOutcome.ReplicaUnavailable<>(
                    "partition " + partition + " cannot be read");
        } catch (IllegalArgumentException e) {
            LOG.error("partition {}: corrupt record", partition, e);
            fault = String.valueOf(e.getMessage());
            return new ReadOutcome.ReplicaUnavailable<>(
                    "partition " + partition + " cannot be read");
        } finally {
            guard.leave();
        }
    }

    private <T> ReadOutcome<T> read(
            Snapshot snapshot, long revision, Function<RevisionReader, T> body) {
        FoldState at = FoldState.decode(snapshot.get(Family.META, KeyLayout.STATE));
        if (!at.isReadable()) {
            return beingListed();
        }
        // The read must be of the published epoch: readers compare it with theirs.
        if (at.epoch != state.epoch()) {
            return new ReadOutcome.ReplicaUnavailable<>(
                    "partition " + partition + " begins a new epoch");
        }
        if (revision < at.floor) {
            return new ReadOutcome.Expired<>(at.floor);
        }
        if (revision > at.watermark) {
            return new ReadOutcome.TooNew<>(at.watermark);
        }
        try (RevisionReader reader = new RevisionReader(snapshot, at)) {
            return new ReadOutcome.Served<>(body.apply(reader));
        }
    }

    private <T> ReadOutcome<T> beingListed() {
        return new ReadOutcome.ReplicaUnavailable<>("partition " + partition + " is being listed");
    }
}
