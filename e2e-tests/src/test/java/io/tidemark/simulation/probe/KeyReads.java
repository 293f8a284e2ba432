package io.tidemark.simulation.probe;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.node.SimulatedMessages;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.store.PartitionStore;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a replica's reads of single keys, of metadata, of the past, of times and of
 * unreadable values agree with its list and its changes, which the oracle checks.
 */
public final class KeyReads {
    private static final int PAGE = 4;
    private static final int PAGE_BYTES = 100_000;

    /** More than any world has. */
    private static final int MANY = 10_000;

    private static final long[] AGES_MILLIS = {0, 500, 2_000, 5_000};

    private final PartitionStore store;
    private final PartitionView view;
    private final long epoch;
    private final long floor;
    private final long watermark;
    private final Map<Bytes, StoredObject> objects = new TreeMap<>();
    private final Map<Bytes, List<ObjectChange>> changes = new TreeMap<>();
    private Optional<String> contradiction = Optional.empty();

    private KeyReads(PartitionStore store, PartitionState state) {
        this.store = store;
        this.view = store.view();
        this.epoch = state.epoch();
        this.floor = state.floor();
        this.watermark = state.watermark();
    }

    /** The first contradiction between reads of a store; empty also when it is not readable. */
    public static Optional<Violation> contradiction(PartitionStore store) {
        PartitionState state = store.state();
        if (!state.ready()) {
            return Optional.empty();
        }
        KeyReads reads = new KeyReads(store, state);
        reads.load();
        reads.checkKeys();
        reads.checkMetadata();
        store.forms().forEach(reads::checkKeysOf);
        reads.checkMessages();
        reads.checkPast((reads.floor + reads.watermark) / 2);
        reads.checkUnreadable(state.unreadable());
        reads.checkTimes(state.markTimeMillis());
        reads.checkStore();
        return reads.contradiction.map(what ->
                new Violation(
                        Promise.SNAPSHOT,
                        "a replica of partition %d at %d: %s"
                                .formatted(reads.view.partition(), reads.watermark, what)));
    }

    /** What a store that can be read says of itself. */
    private void checkStore() {
        expect(store.fault().isEmpty(), () -> "the store is corrupt: " + store.fault());
        expect(!store.needsList(), () -> "the store waits for a list");
        expect(
                store.writtenOffset() <= store.appliedOffset(),
                () ->
                        "offset %d is written, %d applied"
                                .formatted(store.writtenOffset(), store.appliedOffset()));
    }

    private void expect(boolean holds, Supplier<String> otherwise) {
        if (!holds && contradiction.isEmpty()) {
            contradiction = Optional.of(otherwise.get());
        }
    }

    private void load() {
        objects.putAll(scan(watermark, Projection.WHOLE).orElseThrow());
        ChangePosition cursor = ChangePosition.endOf(floor);
        while (cursor.wholeRevision() < watermark) {
            ChangePage page =
                    read(new ChangesRequest(
                                    Bytes.EMPTY,
                                    cursor,
                                    watermark,
                                    PAGE,
                                    PAGE_BYTES,
                                    Projection.WHOLE))
                            .orElseThrow();
            for (ObjectChange change : page.changes()) {
                changes.computeIfAbsent(change.key(), _ -> new ArrayList<>()).add(change);
            }
            cursor = page.through();
        }
    }

    /** Empty when the replica does not have that revision. */
    private Optional<Map<Bytes, StoredObject>> scan(long atRevision, Projection projection) {
        Map<Bytes, StoredObject> found = new TreeMap<>();
        Optional<Bytes> next = Optional.of(Bytes.EMPTY);
        while (next.isPresent()) {
            Optional<ScanPage> page =
                    read(
                            new ScanRequest(
                                    Bytes.EMPTY,
                                    next.get(),
                                    atRevision,
                                    Selection.ALL,
                                    PAGE,
                                    PAGE_BYTES,
                                    projection));
            if (page.isEmpty()) {
                return Optional.empty();
            }
            page.get().objects().forEach(object -> found.put(object.key(), object));
            next = page.get().nextKey();
        }
        return Optional.of(found);
    }

    private <T> Optional<T> read(ReadRequest<T> request) {
        return view.read(request) instanceof ReadOutcome.Served<T>(T value)
                ? Optional.of(value)
                : Optional.empty();
    }

    private void checkKeys() {
        for (Bytes key : keys()) {
            @Nullable StoredObject listed = objects.get(key);
            Optional<StoredObject> whole = read(new GetRequest(key, watermark)).orElseThrow();
            expect(
                    same(listed, whole.orElse(null)),
                    () -> "GET of %s is %s, the list has %s".formatted(key, whole, listed));
            checkVersions(key);
        }
    }

    private List<Bytes> keys() {
        Map<Bytes, Boolean> keys = new TreeMap<>();
        objects.keySet().forEach(key -> keys.put(key, true));
        changes.keySet().forEach(key -> keys.put(key, true));
        return List.copyOf(keys.keySet());
    }

    private static boolean same(@Nullable StoredObject one, @Nullable StoredObject other) {
        return one == null || other == null
                ? one == other
                : Arrays.equals(one.stored(), other.stored());
    }

    private void checkVersions(Bytes key) {
        List<KeyVersion> versions = versions(key);
        List<ObjectChange> expected = changes.getOrDefault(key, List.of());
        boolean agree = versions.size() == expected.size();
        for (int i = 0; agree && i < versions.size(); i++) {
            agree = isStepOf(versions.get(i), expected.get(i));
        }
        expect(agree, () -> "the versions of %s are %s, not %s".formatted(key, versions, expected));
        for (KeyVersion version : versions) {
            checkTimeOf(version);
        }
    }

    /** Those of which changes tell. */
    private List<KeyVersion> versions(Bytes key) {
        List<KeyVersion> versions = new ArrayList<>();
        for (long after = 0; after < watermark; ) {
            VersionPage page =
                    read(new VersionsRequest(key, after, watermark, PAGE, PAGE_BYTES))
                            .orElseThrow();
            page.versions().stream()
                    .filter(version -> version.revision() > floor)
                    .forEach(versions::add);
            after = page.throughRevision();
        }
        return versions;
    }

    private static boolean isStepOf(KeyVersion version, ObjectChange change) {
        boolean deleted = version.step() == KeyVersion.Step.DELETED;
        return version.revision() == change.revision()
                && deleted == (change.current() == null)
                && same(version.object(), deleted ? change.previous() : change.current());
    }

    /** The state as of a version's time shows it. */
    private void checkTimeOf(KeyVersion version) {
        if (version.timeMillis() == 0) {
            return;
        }
        RevisionAtTime then = read(new RevisionAtRequest(version.timeMillis())).orElseThrow();
        expect(
                then.revision().isEmpty() || then.revision().getAsLong() >= version.revision(),
                () ->
                        "%s is dated %d, but the revision then is %s"
                                .formatted(version, version.timeMillis(), then));
    }

    private void checkMetadata() {
        Map<Bytes, StoredObject> metadata = scan(watermark, Projection.METADATA).orElseThrow();
        expect(
                metadata.keySet().equals(objects.keySet()),
                () -> "metadata of %s, not of %s".formatted(metadata.keySet(), objects.keySet()));
        metadata.forEach((key, part) -> {
            @Nullable StoredObject whole = objects.get(key);
            expect(
                    whole != null && whole.metadataOnly().revision() == part.revision(),
                    () -> "metadata of " + key + " is of revision " + part.revision());
        });
    }

    /** A kept message is that of the object; where none is kept, the whole object is served. */
    private void checkMessages() {
        SimulatedMessages messages = new SimulatedMessages();
        Projection.Protobuf form = new Projection.Protobuf(SimulatedMessages.TYPE);
        Map<Bytes, StoredObject> found = scan(watermark, form).orElseThrow();
        expect(
                found.keySet().equals(objects.keySet()),
                () -> "messages of %s, not of %s".formatted(found.keySet(), objects.keySet()));
        found.forEach((key, part) -> {
            @Nullable StoredObject whole = objects.get(key);
            boolean isRight =
                    whole != null && ProtobufForm.isMessage(part)
                            ? messages.encode(whole)
                                    .filter(made -> Arrays.equals(made.bytes(), part.valueCopy()))
                                    .isPresent()
                            : part.equals(whole);
            expect(isRight, () -> "%s instead of the message of %s".formatted(part, whole));
        });
    }

    /** The keys and revisions of a family, which the self-check compares with etcd. */
    private void checkKeysOf(Projection family) {
        Map<Bytes, Long> revisions = new TreeMap<>();
        Optional<Bytes> next = Optional.of(Bytes.EMPTY);
        while (next.isPresent()) {
            if (!(store.keys(new KeysRequest(family, epoch, watermark, next.get(), PAGE))
                    instanceof ReadOutcome.Served<KeysPage>(KeysPage page))) {
                expect(false, () -> "the keys of " + family + " are not served");
                return;
            }
            page.keys().forEach(key -> revisions.put(key.key(), key.modRevision()));
            next = page.next();
        }
        Map<Bytes, Long> expected = new TreeMap<>();
        objects.forEach((key, object) -> expected.put(key, object.revision()));
        expect(
                revisions.equals(expected),
                () -> "%s has keys %s, not %s".formatted(family, revisions, expected));
    }

    /** The state before the newest changes, as these changes show it. */
    private void checkPast(long revision) {
        Optional<Map<Bytes, StoredObject>> listed = scan(revision, Projection.WHOLE);
        if (listed.isEmpty()) {
            return; // Inside a bridged gap.
        }
        for (Bytes key : keys()) {
            @Nullable StoredObject then = stateAt(key, revision);
            expect(
                    same(then, listed.get().get(key)),
                    () ->
                            "%s at %d is listed as %s, not as %s"
                                    .formatted(key, revision, listed.get().get(key), then));
        }
    }

    /** Of a key, as the changes after a revision show it. */
    private @Nullable StoredObject stateAt(Bytes key, long revision) {
        @Nullable StoredObject then = objects.get(key);
        for (ObjectChange change : changes.getOrDefault(key, List.of()).reversed()) {
            if (change.revision() > revision) {
                then = change.previous();
            }
        }
        return then;
    }

    private void checkUnreadable(long count) {
        long found = read(new UnreadableRequest(Bytes.EMPTY, MANY)).orElseThrow().keys().size();
        expect(
                found == count,
                () -> "%d unreadable keys, the state says %d".formatted(found, count));
    }

    /** Earlier times have earlier revisions, none outside of what can be read. */
    private void checkTimes(long newestMillis) {
        long newest = watermark;
        for (long age : AGES_MILLIS) {
            long later = newest;
            RevisionAtTime then = read(new RevisionAtRequest(newestMillis - age)).orElseThrow();
            long revision = then.revision().orElse(floor);
            expect(
                    revision >= floor && revision <= later,
                    () ->
                            "%s, %d ms before the newest mark, is not between %d and %d"
                                    .formatted(then, age, floor, later));
            newest = revision;
        }
    }
}
