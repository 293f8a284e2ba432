package io.tidemark.connector.sink;

import static io.tidemark.connector.sink.SinkFixture.delete;
import static io.tidemark.connector.sink.SinkFixture.mark;
import static io.tidemark.connector.sink.SinkFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.PutFingerprint;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopicFingerprintReaderTest {
    /** More than are searched for another put. */
    private static final int MANY = 30_000;

    private final StoredTopic topic = new StoredTopic();

    @Test
    void findsTheNewestPutOfEachPartitionThatIsNotDeleted() {
        append(0, put(11, "/a/older"), put(12, "/a/newest"), put(13, "/a/deleted"));
        append(1, put(14, "/b/deleted"));
        append(2, put(15, "/c/newest"));
        append(0, delete(16, "/a/deleted"));
        append(1, delete(17, "/b/deleted"));
        marks(18, 1_000);
        assertThat(puts(fingerprint())).containsExactly("/c/newest", "/a/newest");
    }

    @Test
    void findsTheNewestDeleteOfAllPartitions() {
        append(0, put(11, "/a/x"), put(12, "/a/again"), delete(13, "/a/again"));
        append(1, put(13, "/b/y"), put(14, "/b/z"), delete(15, "/b/y"), delete(16, "/b/z"));
        append(0, put(17, "/a/again"));
        append(2, put(18, "/c/aborted"), delete(19, "/c/aborted"), put(18, "/c/aborted"));
        marks(20, 1_000);
        assertThat(newestDelete()).contains(change(delete(16, "/b/z")));
    }

    /** Their revision is not the one at which the key was deleted. */
    @Test
    void deletesOfAListOrAGapDoNotCount() {
        append(0, delete(10, "/a/stale"));
        topic.mark(mark(Kind.LIST_END, 1, 10));
        marks(10, 1_000);
        append(1, put(12, "/b/y"));
        topic.append(1, new Change.Delete(1, 20, Change.GAP_INDEX, Bytes.utf8("/b/stale")));
        topic.mark(mark(Kind.GAP, 1, 20));
        assertThat(newestDelete()).isEmpty();
        append(2, delete(21, "/c/z"));
        assertThat(newestDelete()).contains(change(delete(21, "/c/z")));
    }

    /** Each takeover would read all marks of the topic. */
    @Test
    void doesNotSearchTheMarksOfAnIdlePartitionOnceAnotherHasAPut() {
        append(0, put(11, "/a/x"));
        marks(12, MANY);
        append(1, put(13, "/b/y"));
        marks(14, 1);
        assertThat(puts(fingerprint())).containsExactly("/b/y");
    }

    @Test
    void searchesAllMarksWhileNoPartitionHasAPut() {
        append(0, put(11, "/a/x"));
        marks(12, MANY);
        assertThat(puts(fingerprint())).containsExactly("/a/x");
    }

    private void append(int partition, MirrorEntry... entries) {
        for (MirrorEntry entry : entries) {
            topic.append(partition, change(entry));
        }
    }

    private static Change change(MirrorEntry entry) {
        return Objects.requireNonNull(entry.change());
    }

    private void marks(long revision, int count) {
        Change.TideMark mark = mark(Kind.PROGRESS, 1, revision);
        for (int i = 0; i < count; i++) {
            topic.mark(mark);
        }
    }

    private HistoryFingerprint fingerprint() {
        try (PartitionReader committed = reader(TopicClients.Isolation.COMMITTED);
                PartitionReader all = reader(TopicClients.Isolation.UNCOMMITTED)) {
            return new TopicFingerprintReader(new TopicMarks(committed), all).of(1);
        }
    }

    private PartitionReader reader(TopicClients.Isolation isolation) {
        return new PartitionReader(topic, isolation, StoredTopic.NAME, _ -> {});
    }

    private Optional<Change> newestDelete() {
        return fingerprint().newestDelete().map(Change.class::cast);
    }

    private static List<String> puts(HistoryFingerprint fingerprint) {
        return fingerprint.newest(16).stream()
                .map(PutFingerprint::key)
                .map(key -> key.utf8())
                .toList();
    }
}
