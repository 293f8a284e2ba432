package io.tidemark.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The changes in memory must equal what the replica would have answered. */
class RecentChangesTest {
    private static final long EPOCH = 7;
    private static final long MAX_BYTES = 2 << 20;
    private final RecentChanges recent = new RecentChanges(1_024, MAX_BYTES);

    @Test
    void pagesEqualTheHistory() {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<ObjectChange> history = history(random, 3 + random.nextInt(60));
            recent.clear();
            long newest = random.nextInt(10);
            while (newest < 100) {
                long through = newest + random.nextInt(20);
                recent.append(
                        EPOCH, newest, new ChangePage(between(history, newest, through), through));
                newest = through;
                ChangesRequest request =
                        new ChangesRequest(
                                Bytes.utf8(random.nextBoolean() ? "" : "/a"),
                                position(random),
                                random.nextInt(110),
                                1 + random.nextInt(5),
                                1 + random.nextInt(500),
                                Projection.WHOLE);
                Optional<ChangePage> page = read(EPOCH, request);
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
        append(10, 12, change(11, 0, "/a", 1), change(12, 0, "/b", 1));
        append(12, 15, change(15, 0, "/a", 1));
        ChangesRequest request = new ChangesRequest(Bytes.EMPTY, 11, 20, 100, 1_000_000);
        assertThat(read(EPOCH, request).orElseThrow().changes()).hasSize(2);
        assertThat(read(EPOCH, request).orElseThrow().throughRevision()).isEqualTo(15);
    }

    @Test
    void isEmptyForUnknownChanges() {
        ChangesRequest older = new ChangesRequest(Bytes.EMPTY, 9, 12, 100, 1_000_000);
        ChangesRequest newer = new ChangesRequest(Bytes.EMPTY, 12, 13, 100, 1_000_000);
        ChangesRequest known = new ChangesRequest(Bytes.EMPTY, 10, 12, 100, 1_000_000);
        append(10, 12, change(11, 0, "/a", 1));
        assertThat(read(EPOCH, older)).isEmpty();
        assertThat(read(EPOCH, newer)).isEmpty();
        assertThat(read(EPOCH + 1, known)).isEmpty();
        assertThat(read(EPOCH, known)).isPresent();
        append(14, 15, change(15, 0, "/a", 1)); // With a gap before it.
        assertThat(read(EPOCH, known)).isEmpty();
        recent.clear();
        assertThat(read(EPOCH, new ChangesRequest(Bytes.EMPTY, 14, 15, 1, 1))).isEmpty();
    }

    @Test
    void dropsTheOldestWholeRevisions() {
        for (int revision = 1; revision <= 20; revision++) {
            append(
                    revision - 1,
                    revision,
                    change(revision, 0, "/a", 100_000),
                    change(revision, 1, "/b", 100_000));
        }
        for (int after = 0; after < 20; after++) {
            ChangesRequest request = new ChangesRequest(Bytes.EMPTY, after, 20, 100, 100_000_000);
            assertThat(read(EPOCH, request).map(page -> page.changes().size()))
                    .isEqualTo(after < 10 ? Optional.empty() : Optional.of(2 * (20 - after)));
        }
    }

    @Test
    void doesNotKeepAHugeRevision() {
        append(1, 2, change(2, 0, "/a", 3_000_000));
        ChangesRequest request = new ChangesRequest(Bytes.EMPTY, 1, 2, 100, 1_000_000);
        assertThat(read(EPOCH, request)).isEmpty();
    }

    @Test
    void appliesTheProjection() {
        append(1, 2, change(2, 0, "/a", 100));
        ChangesRequest request =
                new ChangesRequest(Bytes.EMPTY, 1, 2, 100, 1_000_000, Projection.METADATA);
        ObjectChange shown = read(EPOCH, request).orElseThrow().changes().getFirst();
        assertThat(shown.current()).isNotNull();
        assertThat(shown.current().isMetadataOnly()).isTrue();
        assertThat(shown.previous()).isNull();
    }

    @Test
    void keepsChangesAboveTheWatermarkForLater() {
        recent.restart(EPOCH, 10);
        recent.add(List.of(change(11, 0, "/a", 1), change(12, 0, "/a", 1)), 11);
        assertThat(revisions(10, 20)).containsExactly(11L);
        recent.add(List.of(change(12, 1, "/b", 1)), 12);
        assertThat(revisions(10, 20)).containsExactly(11L, 12L, 12L);
        assertThat(recent.read(EPOCH, after(10), 11).orElseThrow().throughRevision()).isEqualTo(11);
    }

    @Test
    void ignoresChangesAtAndBelowItsBeginning() {
        recent.restart(EPOCH, 10);
        recent.add(List.of(change(9, 0, "/a", 1), change(10, 3, "/a", 1)), 10);
        recent.add(List.of(change(11, 0, "/a", 1)), 11);
        assertThat(revisions(10, 20)).containsExactly(11L);
        assertThat(read(EPOCH, after(9))).isEmpty();
    }

    @Test
    void leavesChangesOutOfOrderToOthers() {
        recent.restart(EPOCH, 10);
        recent.add(
                List.of(
                        change(14, 0, "/a", 1),
                        change(12, 0, "/b", 1),
                        change(13, 0, "/c", 1),
                        change(15, 1, "/d", 1)),
                15);
        assertThat(read(EPOCH, after(13))).isEmpty();
        assertThat(revisions(14, 15)).containsExactly(15L);
        recent.add(List.of(change(15, 0, "/e", 1), change(16, 0, "/e", 1)), 16);
        assertThat(read(EPOCH, after(14))).isEmpty();
        assertThat(revisions(15, 16)).containsExactly(16L);
    }

    @Test
    void compactsWholeRevisions() {
        recent.restart(EPOCH, 10);
        recent.add(
                List.of(change(11, 0, "/a", 1), change(11, 1, "/b", 1), change(13, 0, "/a", 1)),
                14);
        recent.compact(9);
        assertThat(revisions(10, 14)).containsExactly(11L, 11L, 13L);
        recent.compact(12);
        assertThat(read(EPOCH, after(11))).isEmpty();
        assertThat(revisions(12, 14)).containsExactly(13L);
        recent.compact(20);
        recent.add(List.of(change(21, 0, "/a", 1)), 21);
        assertThat(read(EPOCH, after(19))).isEmpty();
        assertThat(revisions(20, 30)).containsExactly(21L);
    }

    @Test
    void boundsTheNumberOfChanges() {
        RecentChanges three = new RecentChanges(3, MAX_BYTES);
        three.restart(EPOCH, 0);
        for (int revision = 1; revision <= 10; revision++) {
            three.add(List.of(change(revision, 0, "/a", 1)), revision);
        }
        assertThat(three.read(EPOCH, after(6), 10)).isEmpty();
        assertThat(three.read(EPOCH, after(7), 10).orElseThrow().changes()).hasSize(3);
        three.add(
                List.of(
                        change(11, 0, "/a", 1),
                        change(11, 1, "/a", 1),
                        change(11, 2, "/a", 1),
                        change(11, 3, "/a", 1)),
                11);
        assertThat(three.read(EPOCH, after(10), 11)).isEmpty();
        three.add(List.of(change(12, 0, "/a", 1)), 12);
        assertThat(three.read(EPOCH, after(11), 12).orElseThrow().changes()).hasSize(1);
    }

    @Test
    void aNewEpochBeginsEmpty() {
        recent.restart(EPOCH, 10);
        recent.add(List.of(change(11, 0, "/a", 1)), 11);
        assertThat(recent.isOf(EPOCH)).isTrue();
        recent.restart(EPOCH + 1, 5);
        assertThat(recent.isOf(EPOCH)).isFalse();
        recent.add(List.of(change(6, 0, "/a", 1)), 6);
        assertThat(read(EPOCH, after(5))).isEmpty();
        assertThat(read(EPOCH + 1, after(5)).orElseThrow().changes()).hasSize(1);
    }

    private List<Long> revisions(long after, long watermark) {
        return recent.read(EPOCH, after(after), watermark).orElseThrow().changes().stream()
                .map(ObjectChange::revision)
                .toList();
    }

    private static ChangesRequest after(long revision) {
        return new ChangesRequest(Bytes.EMPTY, revision, Long.MAX_VALUE, 100, 100_000_000);
    }

    private Optional<ChangePage> read(long epoch, ChangesRequest request) {
        return recent.read(epoch, request, Long.MAX_VALUE);
    }

    private void append(long after, long through, ObjectChange... changes) {
        recent.append(EPOCH, after, new ChangePage(List.of(changes), through));
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

    private static ObjectChange change(long revision, int index, String key, int size) {
        Bytes at = Bytes.utf8(key);
        StoredObject object =
                StoredObject.encode(
                        at,
                        Bytes.utf8("x".repeat(size)),
                        ContentType.RAW,
                        revision,
                        1,
                        1,
                        0,
                        "",
                        Map.of(),
                        Map.of(),
                        0);
        return new ObjectChange(revision, index, at, object, null);
    }
}
