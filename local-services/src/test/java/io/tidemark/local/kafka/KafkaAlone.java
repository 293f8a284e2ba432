package io.tidemark.local.kafka;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What Kafka alone costs where {@code up} uses it: the broker, a producer with the settings of a
 * connector, and a consumer with those of a node, in one process, and nothing else. No mirror over
 * Kafka costs less. Started by {@code dev/kafka-limit.sh}.
 */
final class KafkaAlone {
    private static final String TOPIC = "changes";
    private static final int PARTITIONS = 8;
    private static final int KEYS = 2_000;

    /** Of a pod of the load tool. */
    private static final int VALUE_BYTES = 10_800;

    private static final byte[] CONTENT = content();

    private static final long WRITE_INTERVAL = Duration.ofMillis(10).toNanos();

    /** As the connector does while changes go on. */
    private static final long COMMIT_INTERVAL = Duration.ofSeconds(5).toNanos();

    /** Changes that share a mark when the connector is busy: 10 ms of 2,000 changes a second. */
    private static final int BUSY_BATCH = 20;

    private final Map<String, Object> broker;
    private volatile boolean busy;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong waited = new AtomicLong();

    private KafkaAlone(Map<String, Object> broker) {
        this.broker = broker;
    }

    /**
     * @param arguments an empty folder, which is not removed, and the seconds for which each phase
     *     is measured; it is warmed up for as long
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Duration phase = Duration.ofSeconds(Integer.parseInt(arguments[1]));
        EmbeddedKafka kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder));
        new KafkaAlone(Map.of("bootstrap.servers", kafka.bootstrapServers())).measure(phase);
        // The threads of the last phase still run.
        Runtime.getRuntime().halt(0);
    }

    private void measure(Duration phase) throws Exception {
        Thread.sleep(phase);
        System.out.printf("the broker at rest: %.1f ms of CPU a second%n", cpuPerSecond(phase));
        try (Admin admin = Admin.create(broker)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
        }
        Thread.ofPlatform().daemon().start(this::consume);
        Thread.ofPlatform().daemon().start(this::write);
        Thread.sleep(phase);
        long before = received.get();
        long waitedBefore = waited.get();
        double cpu = cpuPerSecond(phase) * phase.toSeconds();
        long writes = received.get() - before;
        System.out.printf(
                "100 writes a second: %.2f ms of CPU a write, %.1f ms on average from the send to"
                        + " the arrival%n",
                cpu / writes, (waited.get() - waitedBefore) / 1e6 / writes);
        busy = true;
        Thread.sleep(phase);
        before = received.get();
        cpu = cpuPerSecond(phase) * phase.toSeconds();
        writes = received.get() - before;
        System.out.printf(
                "writes as fast as they go: %.0f µs of CPU a write, %,d a second%n",
                cpu * 1_000 / writes, writes / phase.toSeconds());
    }

    /** Milliseconds of CPU that this process uses in a second, over a time. */
    private static double cpuPerSecond(Duration time) throws IOException, InterruptedException {
        Duration before = cpu();
        long began = System.nanoTime();
        Thread.sleep(time);
        return cpu().minus(before).toNanos() * 1e3 / (System.nanoTime() - began);
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    private void consume() {
        Map<String, Object> settings = new HashMap<>(broker);
        settings.put("max.poll.records", 500);
        settings.put("max.partition.fetch.bytes", 4 << 20);
        settings.put("auto.offset.reset", "earliest");
        List<TopicPartition> partitions =
                IntStream.range(0, PARTITIONS)
                        .mapToObj(each -> new TopicPartition(TOPIC, each))
                        .toList();
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
            consumer.assign(partitions);
            while (true) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
                    if (each.value().length == VALUE_BYTES) {
                        received.incrementAndGet();
                        waited.addAndGet(
                                System.nanoTime() - ByteBuffer.wrap(each.value()).getLong());
                    }
                }
            }
        }
    }

    /** A mark for each partition follows each batch. */
    private void write() {
        Map<String, Object> settings = new HashMap<>(broker);
        settings.put("acks", "all");
        settings.put("compression.type", "snappy");
        settings.put("linger.ms", 0);
        settings.put("transactional.id", "connector");
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings, bytes, bytes)) {
            producer.initTransactions();
            producer.beginTransaction();
            long committed = System.nanoTime();
            long next = committed;
            int written = 0;
            while (true) {
                int batch = busy ? BUSY_BATCH : 1;
                for (int each = 0; each < batch; each++) {
                    Future<?> _ = producer.send(change(written));
                    written++;
                }
                byte[] mark = Integer.toString(written).getBytes(StandardCharsets.US_ASCII);
                for (int each = 0; each < PARTITIONS; each++) {
                    Future<?> _ =
                            producer.send(new ProducerRecord<>(TOPIC, each, new byte[] {1}, mark));
                }
                if (System.nanoTime() - committed > COMMIT_INTERVAL) {
                    producer.commitTransaction();
                    producer.beginTransaction();
                    committed = System.nanoTime();
                }
                next += WRITE_INTERVAL;
                if (!busy) {
                    LockSupport.parkNanos(next - System.nanoTime());
                }
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> change(int number) {
        byte[] key = ("pods/" + number % KEYS).getBytes(StandardCharsets.US_ASCII);
        byte[] value = CONTENT.clone();
        ByteBuffer.wrap(value).putLong(System.nanoTime());
        return new ProducerRecord<>(TOPIC, number % PARTITIONS, key, value);
    }

    /** Text that Snappy makes as small as it makes a pod's JSON: to about a third. */
    private static byte[] content() {
        byte[] content =
                "0123456789\"name\":{\"value\":\""
                        .repeat(VALUE_BYTES)
                        .getBytes(StandardCharsets.US_ASCII);
        Random random = new Random(1);
        for (int place = 0; place < VALUE_BYTES; place++) {
            if (place % 28 < 9) {
                content[place] = (byte) random.nextInt(256);
            }
        }
        return Arrays.copyOf(content, VALUE_BYTES);
    }
}
