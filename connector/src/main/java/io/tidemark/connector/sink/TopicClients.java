package io.tidemark.connector.sink;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.CorruptRange;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** What the sink takes from Kafka. */
public interface TopicClients {
    /** Creates the mirror topic and its dead-letter topic where they are missing. */
    MirrorTopics.Prepared prepare(TopicSettings settings) throws Exception;

    /** A transactional producer. */
    Producer<byte[], byte[]> producer(String transactionalId);

    /**
     * A consumer without a group.
     *
     * @param corruptRanges receives the ranges that were skipped
     */
    Consumer<byte[], byte[]> consumer(
            Isolation isolation, java.util.function.Consumer<CorruptRange> corruptRanges);

    /** Most bytes of a record that the producer sends. */
    int maxRequestBytes();

    /** How long a transaction may be open before the broker aborts it. */
    Duration transactionTimeout();

    /** The clocks by which the sink measures its waits for Kafka. */
    TimeSource time();

    /** Isolation of a consumer. */
    enum Isolation {
        COMMITTED("read_committed"),
        UNCOMMITTED("read_uncommitted");

        private final String setting;

        Isolation(String setting) {
            this.setting = setting;
        }

        String setting() {
            return setting;
        }
    }
}
