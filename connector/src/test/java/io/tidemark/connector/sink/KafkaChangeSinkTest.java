package io.tidemark.connector.sink;

import static io.tidemark.connector.sink.SinkFixture.mark;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KafkaChangeSinkTest {
    private long nowNanos;

    private final StoredTopic topic =
            new StoredTopic(
                    new TimeSource() {
                        @Override
                        public long nanoTime() {
                            return nowNanos;
                        }

                        @Override
                        public long currentTimeMillis() {
                            return nowNanos / 1_000_000;
                        }
                    });

    @AutoClose
    private final KafkaChangeSink sink =
            new KafkaChangeSink(
                    topic,
                    TopicSettings.DEFAULT.withName(StoredTopic.NAME),
                    SinkFixture.SCOPE,
                    new ConnectorMetrics(new SimpleMeterRegistry()));

    /** Nodes that start then look for keys where this writer does not put them. */
    @Test
    void addedPartitionsNeedAList() throws Exception {
        Change.TideMark last = mark(Kind.PROGRESS, 1, 10).withScope(SinkFixture.SCOPE);
        topic.mark(last);
        assertThat(sink.open().resume()).isEqualTo(new ResumePoint.At(1, 10, SinkFixture.CLUSTER));
        topic.addPartition();

        sink.mark(last);
        sink.commit();
        nowNanos += Duration.ofSeconds(30).toNanos();
        sink.mark(last);
        assertThatThrownBy(sink::commit)
                .isInstanceOf(SinkException.Lost.class)
                .hasMessage("topic mirror has 4 partitions instead of 3");

        assertThat(sink.open().resume())
                .isEqualTo(new ResumePoint.Incomplete(1, "a partition has no marks"));
        assertThat(sink.partitions()).isEqualTo(4);
    }

    /** The nodes that run end before, since they look for keys in the former partitions. */
    @Test
    void writesToTheFormerPartitionsUntilNodesHaveEnded() throws Exception {
        topic.mark(mark(Kind.PROGRESS, 1, 10).withScope(SinkFixture.SCOPE));
        sink.open();
        topic.addPartition();

        sink.commit();
        nowNanos += Duration.ofSeconds(29).toNanos();
        sink.commit();

        assertThat(sink.partitions()).isEqualTo(3);
    }
}
