package io.tidemark.connector.sink;

import static io.tidemark.connector.sink.SinkFixture.delete;
import static io.tidemark.connector.sink.SinkFixture.mark;
import static io.tidemark.connector.sink.SinkFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.PutFingerprint;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.List;
import java.util.Objects;
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
            topic.append(partition, Objects.requireNonNull(entry.change()));
        }
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

    private static List<String> puts(HistoryFingerprint fingerprint) {
        return fingerprint.newest(16).stream()
                .map(PutFingerprint::key)
                .map(key -> key.utf8())
                .toList();
    }
}
