package io.tidemark.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.metrics.ConnectorMetrics;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionalWriterTest {
    private long nowMillis;

    private final StoredTopic topic =
            new StoredTopic(
                    new TimeSource() {
                        @Override
                        public long nanoTime() {
                            return 0; // Stands still, as in a suspended machine.
                        }

                        @Override
                        public long currentTimeMillis() {
                            return nowMillis;
                        }
                    });

    @AutoClose
    private final TransactionalWriter writer =
            new TransactionalWriter(
                    topic,
                    "writer",
                    StoredTopic.NAME,
                    new ConnectorMetrics(new SimpleMeterRegistry()));

    @BeforeEach
    void beginTransaction() {
        writer.fenceOthers();
        writer.send(new ProducerRecord<>(StoredTopic.NAME, new byte[1], new byte[1]));
    }

    @Test
    void aTransactionThatEndedInASuspendedMachineTimedOut() {
        nowMillis = topic.transactionTimeout().toMillis();
        assertThat(failed()).isInstanceOf(SinkException.Lost.class);
    }

    @Test
    void aTransactionThatEndedBeforeItsTimeoutWasFenced() {
        nowMillis = topic.transactionTimeout().minus(Duration.ofMillis(1)).toMillis();
        assertThat(failed()).isInstanceOf(SinkException.Fenced.class);
    }

    private SinkException failed() {
        return writer.explain(new InvalidProducerEpochException("an old epoch"));
    }
}
