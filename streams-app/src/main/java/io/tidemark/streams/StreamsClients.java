package io.tidemark.streams;

import io.tidemark.reading.CorruptBatchSkippingConsumer;
import io.tidemark.streams.replica.ReadAhead;
import io.tidemark.streams.replica.RestoreConsumer;
import io.tidemark.streams.replica.SkippedRanges;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Makes the Kafka clients of Streams: defaults, except for consumers that skip corrupt batches and
 * a restore consumer that applies what it reads.
 *
 * @param admins makes an admin client of its settings
 */
record StreamsClients(
        ReadAhead ahead, SkippedRanges passed, Function<Map<String, Object>, Admin> admins)
        implements KafkaClientSupplier {
    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return admins.apply(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new RestoreConsumer(config, passed, ahead);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new CorruptBatchSkippingConsumer(config, passed);
    }
}
