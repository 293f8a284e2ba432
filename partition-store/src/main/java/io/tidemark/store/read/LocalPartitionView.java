package io.tidemark.store.read;

import io.tidemark.store.engine.EngineException;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.NotCachedException;
import io.tidemark.store.layout.FoldState;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.layout.TimeSamples;
import io.tidemark.store.layout.UnreadableKeys;
import io.tidemark.store.read.ReadExecutor.BusyException;
import io.tidemark.store.read.ReadExecutor.Kind;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.RecentChanges;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionsRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves reads from a store in this process. Each read uses one snapshot of the engine, and takes
 * floor and watermark from the same snapshot: so no write or trim can come between the check of a
 * revision and the read at it. Only the newest changes are read from memory.
 */
public final class LocalPartitionView implements PartitionView {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPartitionView.class);

    private final int partition;
    private final KeyValueEngine engine;
    private final List<IndexSettings.Field> indexed;
    private final ReadExecutor gate;
    private final ScanLimits limits;
    private final RecentChanges recent;
    private final boolean keepsProtobuf;
    private final long slotMillis;
    private final ReadGuard guard = new ReadGuard();
    private final Listeners listeners;
    private volatile PartitionState state = PartitionState.EMPTY;
    private volatile String fault = "";

    /**
     * @param gate runs the reads, or refuses them when there are too many
     * @param recent complete from its beginning through the published watermark
     */
    public LocalPartitionView(
            int partition,
            KeyValueEngine engine,
            StoreSettings settings,
            ReadExecutor gate,
            ScanLimits limits,
            RecentChanges recent) {
        this.partition = partition;
        this.listeners = new Listeners(partition);
        this.engine = engine;
        this.indexed = settings.indexes().ordered();
        this.keepsProtobuf = settings.protobuf().isPresent();
        this.slotMillis = TimeSamples.slotMillis(settings);
        this.gate = gate;
        this.limits = limits;
        this.recent = recent;
    }

    /** Publishes a new state and notifies the listeners; called by the applying thread. */
    public void publish(PartitionState next) {
        if (next.equals(state)) {
            return;
        }
        state = next;
        listeners.notifyListeners();
    }

    /** Returns when no read is inside the engine any more; none can enter afterwards. */
    public void close() {
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
    @SuppressWarnings("unchecked") // A request is typed by its answer.
    public <T> ReadOutcome<T> read(ReadRequest<T> request) {
        ReadOutcome<?> outcome =
                switch (request) {
                    case GetRequest get -> get(get.with(kept(get.projection())));
                    case ScanRequest scan -> scan(scan.with(kept(scan.projection())));
                    case ChangesRequest changes -> changes(changes);
                    case VersionsRequest versions ->
                            read(
                                    Kind.SCAN,
                                    at -> refusalOfVersions(at, versions.throughRevision()),
                                    reader -> VersionScan.page(reader, versions, slotMillis));
                    case RevisionAtRequest time ->
                            read(
                                    Kind.POINT,
                                    this::refusal,
                                    reader -> reader.revisionAt(time.timeMillis(), slotMillis));
                    case UnreadableRequest unreadable ->
                            read(
                                    Kind.POINT,
                                    _ -> null,
                                    reader -> UnreadableKeys.page(reader.snapshot(), unreadable));
                };
        return (ReadOutcome<T>) outcome;
    }

    /** A store that keeps JSON only reads whole objects in the place of the protobuf form. */
    private Projection kept(Projection projection) {
        return switch (projection) {
            case Projection.Whole _, Projection.Metadata _, Projection.Checksum _ -> projection;
            case Projection.Protobuf _, Projection.ProtobufLength _ ->
                    keepsProtobuf ? projection : Projection.WHOLE;
        };
    }

    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        PartitionState at = state;
        return at.hasChangesAfter(epoch, request.afterRevision())
                ? recent.read(epoch, request, at.watermark())
                : Optional.empty();
    }

    private ReadOutcome<ChangePage> changes(ChangesRequest request) {
        Optional<ChangePage> known = recentChanges(state.epoch(), request);
        return known.isPresent()
                ? new ReadOutcome.Served<>(known.get())
                : read(
                        Kind.CHANGES,
                        at -> refusal(at, request.afterRevision()),
                        reader -> new ChangeScan(reader, request, limits).page());
    }

    private ReadOutcome<Optional<StoredObject>> get(GetRequest request) {
        long revision = request.atRevision();
        Function<FoldState, @Nullable ReadOutcome<Optional<StoredObject>>> check =
                at -> refusalOfState(at, revision);
        Function<RevisionReader, Optional<StoredObject>> body =
                reader ->
                        Optional.ofNullable(
                                reader.get(request.key(), revision, request.projection()));
        if (state.ready()) {
            try {
                return readGuarded(engine::cachedSnapshot, check, body);
            } catch (NotCachedException _) {
                // The disk may take long: a thread that may wait for it reads.
            }
        }
        return read(Kind.POINT, check, body);
    }

    private ReadOutcome<ScanPage> scan(ScanRequest request) {
        Function<FoldState, @Nullable ReadOutcome<ScanPage>> check =
                at -> refusalOfState(at, request.atRevision());
        if (state.ready() && findsFewKeys(request)) {
            try {
                return readGuarded(
                        engine::cachedSnapshot, check, page(request, limits.ofFewKeys()));
            } catch (NotCachedException _) {
                // As for a single key.
            }
        }
        return read(Kind.SCAN, check, page(request, limits));
    }

    /**
     * Whether the request likely reads a few keys, by an index; of more, this is the first page.
     */
    private boolean findsFewKeys(ScanRequest request) {
        return request.fromKeyInclusive().compareTo(request.prefix()) <= 0
                && IndexedKeys.of(request.prefix(), request.selection(), indexed).isPresent();
    }

    private Function<RevisionReader, ScanPage> page(ScanRequest request, ScanLimits within) {
        return reader -> {
            try (RangeScan scan = new RangeScan(reader, request, indexed, within)) {
                return scan.page();
            }
        };
    }

    /** The next page, in key order, of all keys as of one revision. */
    public ReadOutcome<KeysPage> keys(KeysRequest request) {
        return read(
                Kind.CHECK,
                at ->
                        at.epoch == request.epoch()
                                ? refusalOfState(at, request.atRevision())
                                : unavailable("is in epoch " + at.epoch),
                reader -> {
                    try (KeyScan scan = new KeyScan(reader, request, limits)) {
                        return scan.page();
                    }
                });
    }

    /** The forms of objects that the engine holds, each in a family with all keys. */
    public List<Projection> forms() {
        return keepsProtobuf
                ? List.of(
                        Projection.WHOLE,
                        Projection.METADATA,
                        Projection.CHECKSUM,
                        new Projection.Protobuf(""),
                        new Projection.ProtobufLength(""))
                : List.of(Projection.WHOLE, Projection.METADATA, Projection.CHECKSUM);
    }

    /** Why a read found this replica's data corrupt; empty when none did. */
    public String fault() {
        return fault;
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }

    /**
     * @param check refuses the read, or returns null
     */
    private <T> ReadOutcome<T> read(
            Kind kind,
            Function<FoldState, @Nullable ReadOutcome<T>> check,
            Function<RevisionReader, T> body) {
        if (!state.ready()) {
            return unavailable("is not ready");
        }
        try {
            return gate.pass(kind, () -> readGuarded(engine::snapshot, check, body));
        } catch (BusyException e) {
            return new ReadOutcome.ReplicaUnavailable<>(
                    "partition " + partition + ": " + e.getMessage());
        }
    }

    /** Waits for the disk if {@code open}'s snapshot does. */
    private <T> ReadOutcome<T> readGuarded(
            Supplier<Snapshot> open,
            Function<FoldState, @Nullable ReadOutcome<T>> check,
            Function<RevisionReader, T> body) {
        if (!guard.enter()) {
            return unavailable("has left this node");
        }
        try (Snapshot snapshot = open.get();
                RevisionReader reader = new RevisionReader(snapshot)) {
            @Nullable ReadOutcome<T> refusal = check.apply(reader.state());
            return refusal == null ? new ReadOutcome.Served<>(body.apply(reader)) : refusal;
        } catch (EngineException e) {
            LOG.error("partition {}: a read failed", partition, e);
            if (e.isCorrupt()) {
                fault = e.getMessage() + ": " + e.getCause();
            }
            return unavailable("cannot be read");
        } catch (IllegalArgumentException e) {
            LOG.error("partition {}: corrupt record", partition, e);
            fault = String.valueOf(e.getMessage());
            return unavailable("cannot be read");
        } finally {
            guard.leave();
        }
    }

    /** Inside a bridged gap there are net changes to read, but no state that etcd ever had. */
    private <T> @Nullable ReadOutcome<T> refusalOfState(FoldState at, long revision) {
        return at.isInGap(revision) && at.isReadable()
                ? new ReadOutcome.Expired<>(at.bridgedThrough())
                : refusal(at, revision);
    }

    private <T> @Nullable ReadOutcome<T> refusal(FoldState at, long revision) {
        ReadOutcome<T> refused = refusal(at);
        if (refused == null && revision < at.floor) {
            return new ReadOutcome.Expired<>(at.floor);
        }
        return refused == null && revision > at.watermark
                ? new ReadOutcome.TooNew<>(at.watermark)
                : refused;
    }

    /** A history may begin at any floor, and must not end before it is asked to. */
    private <T> @Nullable ReadOutcome<T> refusalOfVersions(FoldState at, long throughRevision) {
        ReadOutcome<T> refused = refusal(at);
        return refused == null && throughRevision > at.watermark
                ? new ReadOutcome.TooNew<>(at.watermark)
                : refused;
    }

    private <T> @Nullable ReadOutcome<T> refusal(FoldState at) {
        if (!at.isReadable()) {
            return unavailable("is being listed");
        }
        // The read must be of the published epoch: readers compare it with theirs.
        return at.epoch == state.epoch() ? null : unavailable("begins a new epoch");
    }

    private <T> ReadOutcome<T> unavailable(String why) {
        return new ReadOutcome.ReplicaUnavailable<>("partition " + partition + " " + why);
    }
}
