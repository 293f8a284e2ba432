package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StandbyUpdateListener.SuspendReason;
import org.junit.jupiter.api.Test;

class EagerStandbysTest {
    private static final TopicPartition ACTIVE = new TopicPartition("t", 0);
    private static final TopicPartition STANDBY = new TopicPartition("t", 1);
    private static final OffsetAndMetadata TEN = new OffsetAndMetadata(10);
    private static final OffsetAndMetadata ALL = new OffsetAndMetadata(Long.MAX_VALUE);

    private final EagerStandbys standbys = new EagerStandbys();

    @Test
    void unlimitsOnlyPartitionsWithAStandbyHere() {
        assertThat(standbys.unlimited(committed(TEN))).isEqualTo(committed(TEN));
        standbys.onUpdateStart(STANDBY, "mirror", 0);
        assertThat(standbys.unlimited(committed(TEN)))
                .containsEntry(ACTIVE, TEN)
                .containsEntry(STANDBY, ALL);
        standbys.onUpdateSuspended(STANDBY, "mirror", 5, 9, SuspendReason.PROMOTED);
        assertThat(standbys.unlimited(committed(TEN))).isEqualTo(committed(TEN));
    }

    /** Before the first commit of a group. */
    @Test
    void unlimitsBeforeTheFirstCommit() {
        Map<TopicPartition, OffsetAndMetadata> nothing = new HashMap<>();
        nothing.put(ACTIVE, null);
        nothing.put(STANDBY, null);
        standbys.onUpdateStart(STANDBY, "mirror", 0);
        assertThat(standbys.unlimited(nothing))
                .containsEntry(ACTIVE, null)
                .containsEntry(STANDBY, ALL);
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed(OffsetAndMetadata offset) {
        return Map.of(ACTIVE, offset, STANDBY, offset);
    }
}
