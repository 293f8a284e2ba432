package io.tidemark.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a connector relies on of etcd and of a Tidemark in its place, through {@link EtcdSource} and
 * {@link EtcdWatch}.
 */
abstract class SourceContract {
    static final Bytes PREFIX = Bytes.utf8("/registry/");
    static final String A = "/registry/a";
    static final String B = "/registry/b";
    private static final String C = "/registry/c";

    /** Outside of the mirrored prefix. */
    private static final String ELSEWHERE = "/elsewhere";

    /** For an event that must come. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration POLL = Duration.ofMillis(100);

    abstract EtcdUnderTest etcd();

    @Test
    void reportsItsNewestRevisionAndOneClusterIdEverywhere() throws Exception {
        long revision = put(A, "1");
        EtcdView view = source().view();

        assertThat(view.revision()).isEqualTo(revision);
        assertThat(source().newest()).isEqualTo(new EtcdSource.Newest(view.clusterId(), revision));
        assertThat(source().list(PREFIX, revision, 10).clusterId()).isEqualTo(view.clusterId());
        try (EtcdWatch watch = etcd().watchFrom(revision)) {
            assertThat(next(watch)).isEqualTo(new WatchEvent.Created(revision, view.clusterId()));
        }
    }

    @Test
    void listsTheStateOfAnOlderRevisionInPages() {
        long createdA = put(A, "1");
        long createdB = put(B, "1");
        put(ELSEWHERE, "x");
        long second = put(A, "2");
        put(C, "1");
        long newest = delete(B);

        RangePage first = source().list(PREFIX, second, 1);
        assertThat(first.keyValues()).containsExactly(value(A, "2", createdA, second, 2));
        assertThat(first.more()).isTrue();
        assertThat(first.count()).isEqualTo(2);
        assertThat(first.currentRevision()).isBetween(second, newest);
        RangePage rest = source().list(Bytes.utf8(A).successor(), second, 1);
        assertThat(rest.keyValues()).containsExactly(value(B, "1", createdB, createdB, 1));
        assertThat(rest.more()).isFalse();
        assertThat(rest.count()).isEqualTo(1);
    }

    @Test
    void aListStaysAtItsRevisionWhileKeysChangeAndConnectionsBreak() {
        Map<String, @Nullable String> before = new LinkedHashMap<>();
        IntStream.range(0, 100).forEach(i -> before.put("/registry/%03d".formatted(i), "before"));
        long revision = etcd().write(before);

        List<KeyValue> listed = new ArrayList<>();
        Bytes from = PREFIX;
        RangePage page;
        do {
            page = listPage(from, revision, 7);
            listed.addAll(page.keyValues());
            assertThat(page.keyValues()).hasSizeLessThanOrEqualTo(7);
            assertThat(page.remaining()).isBetween(100L - listed.size(), 101L - listed.size());
            from = listed.getLast().key().successor();
            put(listed.getLast().key().utf8(), "after");
            put("/registry/%03d".formatted((listed.size() + 20) % 100), "after");
            if (listed.size() > 30 && listed.size() < 60) {
                etcd().breakConnections();
            }
        } while (page.more());

        assertThat(listed)
                .extracting(keyValue -> keyValue.key().utf8())
                .containsExactlyElementsOf(before.keySet());
        assertThat(listed).extracting(KeyValue::modRevision).containsOnly(revision);
        assertThat(listed).extracting(keyValue -> keyValue.value().utf8()).containsOnly("before");
    }

    /** Reads a page again after a broken connection, as a connector does. */
    private RangePage listPage(Bytes from, long revision, int limit) {
        List<RangePage> pages = new ArrayList<>();
        boolean read =
                etcd().await(() -> {
                    try {
                        pages.add(source().list(from, revision, limit));
                    } catch (EtcdException broken) {
                        assertThat(broken.kind()).isIn(Kind.UNAVAILABLE, Kind.DEADLINE);
                    }
                    return !pages.isEmpty();
                });
        assertThat(read).isTrue();
        return pages.getFirst();
    }

    @Test
    void anEmptyRangeIsAnEmptyPage() {
        RangePage page = source().list(PREFIX, put(ELSEWHERE, "x"), 10);

        assertThat(page.keyValues()).isEmpty();
        assertThat(page.more()).isFalse();
        assertThat(page.count()).isZero();
    }

    @Test
    void getsOneKeyAsOfARevision() {
        long first = put(A, "1");
        long second = put(A, "2");
        long third = delete(A);

        assertThat(source().get(Bytes.utf8(A), first)).contains(value(A, "1", first, first, 1));
        assertThat(source().get(Bytes.utf8(A), second)).contains(value(A, "2", first, second, 2));
        assertThat(source().get(Bytes.utf8(A), third)).isEmpty();
        assertThat(source().get(Bytes.utf8(B), third)).isEmpty();
        assertThat(source().get(Bytes.EMPTY, third)).isEmpty();
    }

    @Test
    void aDeletedKeyBeginsAgainAtVersionOne() {
        put(A, "1");
        delete(A);
        long again = put(A, "2");

        assertThat(source().list(PREFIX, again, 10).keyValues())
                .containsExactly(value(A, "2", again, again, 1));
    }

    @Test
    void deletingWhatIsNotThereMakesNoRevision() {
        long before = put(ELSEWHERE, "x");

        assertThat(delete(A)).isEqualTo(before);
        etcd().deleteAll("/registry/none/");
        assertThat(source().newest().revision()).isEqualTo(before);
    }

    @Test
    void readsNothingAboveItsRevision() {
        long newest = put(A, "1");

        assertFails(Kind.FUTURE_REVISION, () -> source().list(PREFIX, newest + 1, 10));
        assertFails(Kind.FUTURE_REVISION, () -> source().get(Bytes.utf8(A), newest + 1));
    }

    @Test
    void aWatchDeliversEveryChangeSinceItsStart() throws Exception {
        put(A, "0");
        long first = put(A, "1");
        put(ELSEWHERE, "x");
        long second = put(A, "2");
        try (EtcdWatch watch = etcd().watchFrom(first)) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            long third = delete(A);
            long fourth = put(B, "1");

            assertThat(changes(watch, 4))
                    .containsExactly(
                            new KeyChange.Put(value(A, "1", first - 1, first, 2), null),
                            new KeyChange.Put(value(A, "2", first - 1, second, 3), null),
                            new KeyChange.Delete(Bytes.utf8(A), third, null),
                            new KeyChange.Put(value(B, "1", fourth, fourth, 1), null));
        }
    }

    @Test
    void keysOfOneTransactionArriveTogetherInItsOrder() throws Exception {
        long before = put(B, "0");
        try (EtcdWatch watch = etcd().watchFrom(before + 1)) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            Map<String, @Nullable String> writes = new LinkedHashMap<>();
            writes.put(C, "1");
            writes.put(ELSEWHERE, "1");
            writes.put(A, "1");
            writes.put(B, null);
            long revision = etcd().write(writes);

            WatchEvent.Changes changes = nextChanges(watch);
            assertThat(changes.isWhole()).isTrue();
            assertThat(changes.throughRevision()).isEqualTo(revision);
            assertThat(changes.changes())
                    .containsExactly(
                            new KeyChange.Put(value(C, "1", revision, revision, 1), null),
                            new KeyChange.Put(value(A, "1", revision, revision, 1), null),
                            new KeyChange.Delete(Bytes.utf8(B), revision, null));
        }
    }

    @Test
    void aHugeRevisionArrivesInPartsOfWhichOnlyTheLastEndsIt() throws Exception {
        List<String> keys = putHuge();
        long before = source().newest().revision();
        try (EtcdWatch watch = etcd().watchFrom(before + 1)) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            etcd().deleteAll("/registry/huge/");
            long after = put(A, "after");

            List<String> deleted = new ArrayList<>();
            int parts = 0;
            while (deleted.size() < keys.size()) {
                WatchEvent.Changes part = nextChanges(watch);
                parts++;
                for (KeyChange change : part.changes()) {
                    if (change.revision() == before + 1) {
                        assertThat(change).isInstanceOf(KeyChange.Delete.class);
                        deleted.add(change.key().utf8());
                    }
                }
                boolean isLast = deleted.size() == keys.size();
                assertThat(part.throughRevision() > before).isEqualTo(isLast);
            }
            assertThat(deleted).isEqualTo(keys);
            assertThat(parts).isGreaterThan(1);
            assertThat(progressTo(watch, after)).isGreaterThanOrEqualTo(after);
        }
    }

    /** More than etcd puts into one response; in key order. */
    private List<String> putHuge() {
        String padding = "x".repeat(1_000);
        List<String> keys =
                IntStream.range(0, 4_000).mapToObj("/registry/huge/%04d"::formatted).toList();
        Map<String, @Nullable String> writes = new LinkedHashMap<>();
        List<String> padded = new ArrayList<>();
        for (String key : keys) {
            padded.add(key + padding);
            writes.put(key + padding, "x");
            if (writes.size() == 100) {
                etcd().write(writes);
                writes.clear();
            }
        }
        return padded;
    }

    @Test
    void progressCoversWritesThatTheWatchDoesNotSee() throws Exception {
        long before = put(A, "1");
        try (EtcdWatch watch = etcd().watchFrom(before + 1)) {
            for (int i = 0; i < 5; i++) {
                long revision = put(ELSEWHERE, "x" + i);
                assertThat(progressTo(watch, revision)).isEqualTo(revision);
            }
        }
    }

    @Test
    void progressComesAfterAllThatItCovers() throws Exception {
        long before = put(ELSEWHERE, "x");
        try (EtcdWatch watch = etcd().watchFrom(before + 1)) {
            long seen = before;
            long reported = before;
            for (int i = 0; i < 40; i++) {
                long written = put(A, "v" + i);
                boolean _ = watch.requestProgress();
                while (seen < written) {
                    switch (next(watch)) {
                        case WatchEvent.Changes changes -> {
                            for (KeyChange change : changes.changes()) {
                                assertThat(change.revision()).isGreaterThan(reported);
                                assertThat(change.revision()).isEqualTo(seen + 1);
                                seen = change.revision();
                            }
                        }
                        case WatchEvent.Progress(long revision) -> {
                            assertThat(revision).isBetween(reported, seen);
                            reported = revision;
                        }
                        case WatchEvent.Created _ -> {}
                        case WatchEvent.End end -> throw new AssertionError(end);
                    }
                }
            }
        }
    }

    @Test
    void aWatchAboveTheRevisionWaitsForIt() throws Exception {
        long newest = put(A, "0");
        try (EtcdWatch watch = etcd().watchFrom(newest + 3)) {
            put(A, "1");
            put(A, "2");
            long start = put(A, "3");
            List<KeyChange> changes = changes(watch, 1);

            assertThat(start).isEqualTo(newest + 3);
            assertThat(changes).extracting(KeyChange::revision).containsExactly(start);
        }
    }

    @Test
    void theEndOfALeaseDeletesItsKeysInOneRevisionInKeyOrder() throws Exception {
        long lease = etcd().putLeased(new LinkedHashSet<>(List.of(C, A, ELSEWHERE, B)));
        long before = put(B, "no longer leased");
        assertThat(source().get(Bytes.utf8(A), before)).map(KeyValue::lease).contains(lease);
        assertThat(source().get(Bytes.utf8(B), before)).map(KeyValue::lease).contains(0L);
        try (EtcdWatch watch = etcd().watchFrom(before + 1)) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            etcd().endLease(lease);

            WatchEvent.Changes changes = nextChanges(watch);
            assertThat(changes.changes())
                    .containsExactly(
                            new KeyChange.Delete(Bytes.utf8(A), before + 1, null),
                            new KeyChange.Delete(Bytes.utf8(C), before + 1, null));
            assertThat(source().newest().revision()).isEqualTo(before + 1);
        }
    }

    @Test
    void theEndOfALeaseWithoutKeysMakesNoRevision() {
        long lease = etcd().putLeased(Set.of(A));
        long before = delete(A);
        etcd().endLease(lease);

        assertThat(source().newest().revision()).isEqualTo(before);
    }

    @Test
    void aBrokenStreamIsUnavailableAndAnotherContinues() throws Exception {
        long first = put(A, "1");
        try (EtcdWatch watch = etcd().watchFrom(first)) {
            assertThat(changes(watch, 1)).hasSize(1);
            etcd().breakConnections();
            WatchEvent end = next(watch);
            while (end instanceof WatchEvent.Progress) {
                end = next(watch);
            }

            assertThat(end)
                    .asInstanceOf(type(WatchEvent.Failed.class))
                    .extracting(failed -> failed.cause().kind())
                    .isEqualTo(Kind.UNAVAILABLE);
            assertThat(next(watch)).isEqualTo(end);
            assertThat(watch.requestProgress()).isFalse();
        }
        long second = put(A, "2");
        assertThat(etcd().await(this::answers)).isTrue();
        try (EtcdWatch watch = etcd().watchFrom(first + 1)) {
            assertThat(changes(watch, 1)).extracting(KeyChange::revision).containsExactly(second);
        }
    }

    @Test
    void whatCannotBeReachedFailsAndAnswersAgainLater() throws Exception {
        long first = put(A, "1");
        etcd().reachable(false);
        assertThatThrownBy(() -> source().newest()).satisfies(SourceContract::isUnreachable);
        assertThatThrownBy(() -> etcd().watchFrom(first).close())
                .satisfies(SourceContract::isUnreachable);
        long second = put(A, "2");
        etcd().reachable(true);

        assertThat(etcd().await(this::answers)).isTrue();
        assertThat(source().newest().revision()).isEqualTo(second);
        try (EtcdWatch watch = etcd().watchFrom(first + 1)) {
            assertThat(changes(watch, 1)).hasSize(1);
        }
    }

    private boolean answers() {
        try {
            return source().newest().revision() > 0;
        } catch (EtcdException _) {
            return false;
        }
    }

    private static void isUnreachable(Throwable failure) {
        assertThat(failure)
                .asInstanceOf(type(EtcdException.class))
                .extracting(EtcdException::kind)
                .isIn(Kind.UNAVAILABLE, Kind.DEADLINE);
    }

    /** What had arrived before, or arrives at the same time, may still come first. */
    @Test
    void aClosedWatchEnds() throws Exception {
        long first = put(A, "1");
        EtcdWatch watch = etcd().watchFrom(first + 1);
        watch.close();
        put(A, "2");

        assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
        WatchEvent event = next(watch);
        while (event instanceof WatchEvent.Changes || event instanceof WatchEvent.Progress) {
            event = next(watch);
        }
        assertThat(event).isInstanceOf(WatchEvent.Failed.class);
        assertThat(next(watch)).isEqualTo(event);
        assertThat(watch.requestProgress()).isFalse();
    }

    EtcdSource source() {
        return etcd().source();
    }

    long put(String key, String value) {
        return etcd().write(Map.of(key, value));
    }

    private long delete(String key) {
        Map<String, @Nullable String> writes = new LinkedHashMap<>();
        writes.put(key, null);
        return etcd().write(writes);
    }

    private static KeyValue value(
            String key, String value, long created, long modified, long version) {
        return new KeyValue(Bytes.utf8(key), Bytes.utf8(value), created, modified, version, 0);
    }

    static void assertFails(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .asInstanceOf(type(EtcdException.class))
                .extracting(EtcdException::kind)
                .isEqualTo(kind);
    }

    static WatchEvent next(EtcdWatch watch) throws InterruptedException {
        return watch.next(PATIENCE)
                .orElseThrow(() -> new AssertionError("no event within " + PATIENCE));
    }

    /** Those that come next; a source may report progress at any time. */
    private static WatchEvent.Changes nextChanges(EtcdWatch watch) throws InterruptedException {
        WatchEvent event = next(watch);
        while (event instanceof WatchEvent.Progress) {
            event = next(watch);
        }
        return (WatchEvent.Changes) event;
    }

    /** Reads until this many changes have arrived. */
    static List<KeyChange> changes(EtcdWatch watch, int count) throws InterruptedException {
        List<KeyChange> changes = new ArrayList<>();
        while (changes.size() < count) {
            switch (next(watch)) {
                case WatchEvent.Changes more -> changes.addAll(more.changes());
                case WatchEvent.End end -> throw new AssertionError(end);
                case WatchEvent.Created _, WatchEvent.Progress _ -> {}
            }
        }
        return changes;
    }

    /** Requests progress until it reaches a revision. */
    long progressTo(EtcdWatch watch, long revision) throws InterruptedException {
        long[] reported = {0};
        boolean reached =
                etcd().await(() -> {
                    boolean _ = watch.requestProgress();
                    try {
                        if (watch.next(POLL).orElse(null)
                                instanceof WatchEvent.Progress(long through)) {
                            reported[0] = through;
                        }
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return reported[0] >= revision;
                });
        assertThat(reached).as("progress to %d", revision).isTrue();
        return reported[0];
    }
}
