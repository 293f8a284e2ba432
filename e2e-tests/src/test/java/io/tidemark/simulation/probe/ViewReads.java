package io.tidemark.simulation.probe;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusException;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.SecretMode;
import io.tidemark.simulation.world.Settings;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.UnreadablePage.Unreadable;
import io.tidemark.view.request.VersionPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Checks that a node's reads of single keys, of their versions, of times and of unreadable values
 * agree with its list of all partitions, which the oracle checks.
 */
public final class ViewReads {
    private static final KeyScope EVERYTHING = KeyScope.prefix(Settings.PREFIX);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int MANY = 10_000;
    private static final long[] AGES_MILLIS = {300, 1_500, 4_000};

    private final NodeApi api;
    private final int partitions;
    private final ReadPoint at;
    private final boolean showsSecrets;
    private final Map<Bytes, StoredObject> objects = new TreeMap<>();
    private Optional<String> contradiction = Optional.empty();

    private ViewReads(NodeApi api, ReadPoint at, boolean showsSecrets) {
        this.showsSecrets = showsSecrets;
        this.api = api;
        this.partitions = at.partitions().endExclusive();
        this.at = at;
    }

    /**
     * The first contradiction between the reads of a node; empty also when not all partitions
     * answer.
     *
     * @param all its partitions
     * @param secrets whether it may show them
     */
    public static Optional<Violation> contradiction(
            NodeApi api, PartitionSet all, SecretMode secrets) {
        PartitionSetStatus status = api.status(all);
        if (!status.ready()) {
            return Optional.empty();
        }
        ReadPoint at = new ReadPoint(all, status.epoch(), status.watermark(), status.asOfMillis());
        ViewReads reads = new ViewReads(api, at, secrets == SecretMode.SHOWN);
        try {
            reads.load();
            for (Map.Entry<Bytes, StoredObject> each : reads.objects.entrySet()) {
                reads.checkKey(each.getKey(), each.getValue());
            }
            reads.checkUnreadable();
            reads.checkTimes();
        } catch (StatusException | RevisionExpiredException _) {
            // A partition has no replica that answers, or its history was replaced.
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return reads.contradiction.map(what ->
                new Violation(Promise.SNAPSHOT, "a node at %d: %s".formatted(at.revision(), what)));
    }

    private void expect(boolean holds, Supplier<String> otherwise) {
        if (!holds && contradiction.isEmpty()) {
            contradiction = Optional.of(otherwise.get());
        }
    }

    /** Lists within a small budget of memory, which must be free again afterwards. */
    private void load() throws InterruptedException {
        ByteBudget budget = new ByteBudget(64 << 10, 48 << 10);
        try (ByteBudget.Share share = budget.share("probe")) {
            MergedScan scan =
                    api.view()
                            .scan(
                                    EVERYTHING,
                                    Selection.ALL,
                                    Bytes.EMPTY,
                                    at,
                                    NodeApi.SCAN_PAGE,
                                    Projection.WHOLE,
                                    ReadAllowance.of(
                                            share, () -> !objects.isEmpty(), () -> {}, LONGEST));
            for (StoredObject next = scan.next(); next != null; next = scan.next()) {
                objects.put(next.key(), next);
                scan.release(next);
            }
            expect(
                    budget.held() == 0,
                    () -> "a list that was read holds " + budget.held() + " bytes");
        }
    }

    private ReadPoint pointOf(Bytes key, long revision) {
        return new ReadPoint(
                PartitionSet.of(KeyScope.exact(key), partitions),
                at.epoch(),
                revision,
                at.asOfMillis());
    }

    private void checkKey(Bytes key, StoredObject listed) throws InterruptedException {
        Optional<StoredObject> found = api.view().get(key, pointOf(key, at.revision()));
        expect(
                found.isPresent() && same(found.get(), listed),
                () -> "GET of %s is %s, the list has %s".formatted(key, found, listed));
        List<KeyVersion> versions = versions(key);
        for (KeyVersion version : versions) {
            expect(
                    showsSecrets || !ViewResults.text(version.object()).contains(Payload.HIDDEN),
                    () -> "a Secret is in the past of " + key);
        }
        if (!versions.isEmpty()) {
            KeyVersion newest = versions.getLast();
            expect(
                    newest.step() != KeyVersion.Step.DELETED && same(newest.object(), listed),
                    () ->
                            "the newest version of %s is %s, the list has %s"
                                    .formatted(key, newest, listed));
        }
    }

    private List<KeyVersion> versions(Bytes key) throws InterruptedException {
        List<KeyVersion> versions = new ArrayList<>();
        for (long after = 0; after < at.revision(); ) {
            VersionPage page =
                    api.view()
                            .versions(
                                    key,
                                    pointOf(key, at.revision()),
                                    after,
                                    at.revision(),
                                    NodeApi.SCAN_PAGE);
            versions.addAll(page.versions());
            after = page.throughRevision();
        }
        return versions;
    }

    private static boolean same(StoredObject one, StoredObject other) {
        return Arrays.equals(one.stored(), other.stored());
    }

    /** Of the newest state, which may not be that of the list. */
    private void checkUnreadable() throws InterruptedException {
        List<Bytes> keys =
                api.view().unreadable(at.partitions(), EVERYTHING, MANY).keys().stream()
                        .map(Unreadable::key)
                        .toList();
        expect(
                keys.equals(keys.stream().sorted().distinct().toList()),
                () -> "the unreadable keys are " + keys);
    }

    /** Earlier times have earlier revisions. */
    private void checkTimes() throws InterruptedException {
        long newest = at.revision();
        for (long age : AGES_MILLIS) {
            RevisionAtTime found = api.view().revisionAt(at, at.asOfMillis() - age);
            if (!found.settled() || found.revision().isEmpty()) {
                continue;
            }
            long later = newest;
            long revision = found.revision().getAsLong();
            expect(
                    revision <= later,
                    () -> "%d ms before it was at %d, later at %d".formatted(age, revision, later));
            newest = revision;
        }
    }
}
