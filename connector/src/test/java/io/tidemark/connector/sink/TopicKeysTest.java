package io.tidemark.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ContentType;
import org.junit.jupiter.api.Test;

class TopicKeysTest {
    private static final Bytes KEY = Bytes.utf8("/a/x");

    private final StoredTopic topic = new StoredTopic();

    /** Partitions were added: the versions of an epoch before are left where the key was. */
    @Test
    void versionsOfAnEarlierEpochInAnotherPartitionDoNotCount() {
        topic.append(2, put(1, 5));
        mark(Kind.LIST_BEGIN, 2, 20);
        topic.append(0, put(2, 18));
        mark(Kind.LIST_END, 2, 20);

        KeyTable held = versions();

        assertThat(held.revision(held.find(KEY))).isEqualTo(18);
    }

    @Test
    void deletesOfAnEarlierEpochInAnotherPartitionDoNotCount() {
        topic.append(2, new Change.Delete(1, 7, 0, KEY));
        mark(Kind.LIST_BEGIN, 2, 20);
        topic.append(0, put(2, 18));
        mark(Kind.LIST_END, 2, 20);

        KeyTable held = versions();

        assertThat(held.find(KEY)).isNotNegative();
    }

    /** Stores have dropped the key, and an etcd that was restored may have it as it was. */
    @Test
    void deletesAbortedAfterTheLastMarkCount() {
        topic.append(0, put(1, 18));
        mark(Kind.LIST_END, 1, 20);
        topic.appendAborted(0, new Change.Delete(1, 20, 0, Bytes.utf8("/a/before")));
        topic.appendAborted(0, new Change.Delete(1, 21, 0, KEY));

        KeyTable held = versions();

        int entry = held.find(KEY);
        assertThat(held.revision(entry)).isEqualTo(18);
        assertThat(held.uncommitted(entry)).isEqualTo(21);
        assertThat(held.held()).isEqualTo(1);
    }

    /** A list that was cut off: the list of the next epoch deletes what etcd lacks. */
    @Test
    void keysOfEarlierEpochsCount() {
        topic.append(2, put(1, 5));
        mark(Kind.LIST_BEGIN, 2, 20);

        assertThat(keys().loadKeys()).containsExactly(KEY);
    }

    private KeyTable versions() {
        return keys().loadKeyVersions();
    }

    private TopicKeys keys() {
        ConnectorMetrics metrics = new ConnectorMetrics(new SimpleMeterRegistry());
        return new TopicKeys(topic, StoredTopic.NAME, new CorruptRangeTracker(metrics));
    }

    private static Change put(long epoch, long revision) {
        return new Change.Put(
                epoch,
                revision,
                0,
                KEY,
                Bytes.utf8("value"),
                ContentType.RAW,
                revision,
                1,
                0,
                false,
                "");
    }

    private void mark(Kind kind, long epoch, long revision) {
        topic.mark(SinkFixture.mark(kind, epoch, revision));
    }
}
