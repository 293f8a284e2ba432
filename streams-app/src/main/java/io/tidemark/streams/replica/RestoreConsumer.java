package io.tidemark.streams.replica;

import io.tidemark.reading.CorruptBatchSkippingConsumer;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** The consumer by which Streams restores replicas and reads standbys, see {@link ReadAhead}. */
public final class RestoreConsumer extends CorruptBatchSkippingConsumer {
    private final ReadAhead ahead;

    /**
     * @param config of the consumer, for byte arrays
     * @param passed takes note of corrupt batches
     */
    public RestoreConsumer(Map<String, Object> config, SkippedRanges passed, ReadAhead ahead) {
        super(config, passed);
        this.ahead = ahead;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        return ahead.apply(super.poll(timeout));
    }
}
