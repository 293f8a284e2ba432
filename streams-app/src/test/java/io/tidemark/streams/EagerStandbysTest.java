package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StandbyUpdateListener.SuspendReason;
import org.junit.jupiter.api.Test;

class EagerStandbysTest {
    private static final TopicPartition OWNED = new TopicPartition("t", 0);
    private static final TopicPartition FOLLOWED = new TopicPartition("t", 1);
    private static final OffsetAndMetadata TEN = new OffsetAndMetadata(10);
    private static final OffsetAndMetadata ALL = new OffsetAndMetadata(Long.MAX_VALUE);

    private final EagerStandbys standbys = new EagerStandbys();

    @Test
    void onlyWhatIsFollowedHereIsUnlimitedAndOnlyWhileItIs() {
        assertThat(standbys.unlimited(committed(TEN))).isEqualTo(committed(TEN));
        standbys.onUpdateStart(FOLLOWED, "mirror", 0);
        assertThat(standbys.unlimited(committed(TEN)))
                .containsEntry(OWNED, TEN)
                .containsEntry(FOLLOWED, ALL);
        standbys.onUpdateSuspended(FOLLOWED, "mirror", 5, 9, SuspendReason.PROMOTED);
        assertThat(standbys.unlimited(committed(TEN))).isEqualTo(committed(TEN));
    }

    /** Before the first commit of a group. */
    @Test
    void whereNothingWasCommittedTheSame() {
        Map<TopicPartition, OffsetAndMetadata> nothing = new HashMap<>();
        nothing.put(OWNED, null);
        nothing.put(FOLLOWED, null);
        standbys.onUpdateStart(FOLLOWED, "mirror", 0);
        assertThat(standbys.unlimited(nothing))
                .containsEntry(OWNED, null)
                .containsEntry(FOLLOWED, ALL);
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed(OffsetAndMetadata offset) {
        return Map.of(OWNED, offset, FOLLOWED, offset);
    }
}
