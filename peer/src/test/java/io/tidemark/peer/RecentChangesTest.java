package io.tidemark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.record.Bytes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangePosition;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The cached changes must equal what the replica would have answered. */
class RecentChangesTest {
    private static final long EPOCH = 7;
    private final RecentChanges recent = new RecentChanges();

    @Test
    void pagesEqualTheHistory() {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<ObjectChange> history = history(random, 3 + random.nextInt(60));
            recent.clear();
            long newest = random.nextInt(10);
            while (newest < 100) {
                long through = newest + random.nextInt(20);
                recent.add(
                        EPOCH,
                        new PushedChanges(
                                newest,
                                new ChangePage(between(history, newest, through), through)));
                newest = through;
                ChangesRequest request =
                        new ChangesRequest(
                                Bytes.utf8(random.nextBoolean() ? "" : "/a"),
                                position(random),
                                random.nextInt(110),
                                1 + random.nextInt(5),
                                1 + random.nextInt(500),
                                Projection.WHOLE);
                Optional<ChangePage> page = recent.read(EPOCH, request);
                if (page.isPresent()) {
                    assertIsPage(seed, history, request, page.get(), newest);
                }
            }
        }
    }

    private static ChangePosition position(SplittableRandom random) {
        long revision = random.nextInt(110);
        return random.nextBoolean()
                ? ChangePosition.endOf(revision)
                : new ChangePosition(revision, random.nextInt(4));
    }

    private static void assertIsPage(
            int seed,
            List<ObjectChange> history,
            ChangesRequest request,
            ChangePage page,
            long newest) {
        assertThat(page.through())
                .as("seed %d", seed)
                .isGreaterThan(request.after())
                .isLessThanOrEqualTo(
                        ChangePosition.endOf(Math.min(request.throughRevision(), newest)));
        assertThat(page.changes())
                .as("seed %d", seed)
                .isEqualTo(
                        history.stream()
                                .filter(change -> !request.after().covers(change))
                                .filter(page.through()::covers)
                                .filter(change -> change.key().startsWith(request.prefix()))
                                .toList());
        assertThat(page.changes().size())
                .as("seed %d", seed)
                .isLessThanOrEqualTo(request.maxChanges());
    }

    @Test
    void readsConsecutivePushes() {
        recent.add(EPOCH, pushed(10, 12, change(11, 0, "/a", 1), change(12, 0, "/b", 1)));
        recent.add(EPOCH, pushed(12, 15, change(15, 0, "/a", 1)));
        ChangesRequest request = new ChangesRequest(Bytes.EMPTY, 11, 20, 100, 1_000_000);
        assertThat(recent.read(EPOCH, request).orElseThrow().changes()).hasSize(2);
        assertThat(recent.read(EPOCH, request).orElseThrow().throughRevision()).isEqualTo(15);
    }

    @Test
    void isEmptyForUnknownChanges() {
        ChangesRequest older = new ChangesRequest(Bytes.EMPTY, 9, 12, 100, 1_000_000);
        ChangesRequest newer = new ChangesRequest(Bytes.EMPTY, 12, 13, 100, 1_000_000);
        ChangesRequest known = new ChangesRequest(Bytes.EMPTY, 10, 12, 100, 1_000_000);
        recent.add(EPOCH, pushed(10, 12, change(11, 0, "/a", 1)));
        assertThat(recent.read(EPOCH, older)).isEmpty();
        assertThat(recent.read(EPOCH, newer)).isEmpty();
        assertThat(recent.read(EPOCH + 1, known)).isEmpty();
        assertThat(recent.read(EPOCH, known)).isPresent();
        recent.add(EPOCH, pushed(14, 15, change(15, 0, "/a", 1))); // With a gap before it.
        assertThat(recent.read(EPOCH, known)).isEmpty();
        recent.clear();
        assertThat(recent.read(EPOCH, new ChangesRequest(Bytes.EMPTY, 14, 15, 1, 1))).isEmpty();
    }

    @Test
    void dropsTheOldestWholeRevisions() {
        for (int revision = 1; revision <= 20; revision++) {
            recent.add(
                    EPOCH,
                    pushed(
                            revision - 1,
                            revision,
                            change(revision, 0, "/a", 100_000),
                            change(revision, 1, "/b", 100_000)));
        }
        for (int after = 0; after < 20; after++) {
            ChangesRequest request = new ChangesRequest(Bytes.EMPTY, after, 20, 100, 100_000_000);
            assertThat(recent.read(EPOCH, request).map(page -> page.changes().size()))
                    .isEqualTo(after < 10 ? Optional.empty() : Optional.of(2 * (20 - after)));
        }
    }

    @Test
    void doesNotKeepAHugeRevision() {
        recent.add(EPOCH, pushed(1, 2, change(2, 0, "/a", 3_000_000)));
        ChangesRequest request = new ChangesRequest(Bytes.EMPTY, 1, 2, 100, 1_000_000);
        assertThat(recent.read(EPOCH, request)).isEmpty();
    }

    @Test
    void appliesTheProjection() {
        recent.add(EPOCH, pushed(1, 2, change(2, 0, "/a", 100)));
        ChangesRequest request =
                new ChangesRequest(Bytes.EMPTY, 1, 2, 100, 1_000_000, Projection.METADATA);
        ObjectChange shown = recent.read(EPOCH, request).orElseThrow().changes().getFirst();
        assertThat(shown.current()).isNotNull();
        assertThat(shown.current().isMetadataOnly()).isTrue();
        assertThat(shown.previous()).isNull();
    }

    private static PushedChanges pushed(long after, long through, ObjectChange... changes) {
        return new PushedChanges(after, new ChangePage(List.of(changes), through));
    }

    private static List<ObjectChange> history(SplittableRandom random, int changes) {
        List<ObjectChange> history = new ArrayList<>();
        long revision = 1;
        int index = 0;
        for (int i = 0; i < changes; i++) {
            boolean another = random.nextBoolean();
            index = another ? 0 : index + 1;
            revision += another ? 1 + random.nextInt(4) : 0;
            history.add(change(revision, index, random.nextBoolean() ? "/a" : "/b", 50));
        }
        return history;
    }

    private static List<ObjectChange> between(List<ObjectChange> all, long after, long through) {
        return all.stream()
                .filter(each -> each.revision() > after && each.revision() <= through)
                .toList();
    }

    static ObjectChange change(long revision, int index, String key, int size) {
        Bytes at = Bytes.utf8(key);
        StoredObject object = TestObjects.of(at, "x".repeat(size), revision);
        return new ObjectChange(revision, index, at, object, null);
    }
}
