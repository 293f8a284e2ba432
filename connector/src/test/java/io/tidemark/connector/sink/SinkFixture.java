package io.tidemark.connector.sink;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.MirrorReader;
import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.ContentType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sinks that write one mirror topic, changes for them, and what readers see of it. */
final class SinkFixture implements AutoCloseable {
    static final long CLUSTER = 0xfeedL;
    static final int PARTITIONS = 3;
    static final String SCOPE = "everything";

    private final List<KafkaChangeSink> sinks = new ArrayList<>();
    private final String bootstrap;
    private final String topic;

    SinkFixture(String bootstrap, String topic) {
        this.bootstrap = bootstrap;
        this.topic = topic;
    }

    @Override
    public void close() {
        sinks.forEach(KafkaChangeSink::close);
    }

    long endOf(String isolation) {
        return MirrorReader.ends(bootstrap, topic, isolation).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /**
     * A sink that has written an empty list. A new topic's first transaction may fail, as a broker
     * under load may not know of it when it is committed: then it is opened again, as the feed
     * does.
     */
    KafkaChangeSink listed(long epoch, long revision) throws SinkException {
        KafkaChangeSink sink = sink();
        try {
            writeList(sink, epoch, revision);
        } catch (SinkException.Lost _) {
            writeList(sink, epoch, revision);
        }
        return sink;
    }

    private static void writeList(KafkaChangeSink sink, long epoch, long revision)
            throws SinkException {
        sink.open();
        sink.mark(mark(Kind.LIST_BEGIN, epoch, revision));
        sink.mark(mark(Kind.LIST_END, epoch, revision));
        sink.commit();
    }

    KafkaChangeSink sink() {
        return sink(Map.of());
    }

    KafkaChangeSink sink(Map<String, Object> settings) {
        KafkaChangeSink sink =
                new KafkaChangeSink(
                        new KafkaClients(bootstrap, settings),
                        TopicSettings.DEFAULT.withName(topic).withPartitions(PARTITIONS),
                        SCOPE,
                        new ConnectorMetrics(new SimpleMeterRegistry()));
        sinks.add(sink);
        return sink;
    }

    /** Writes a put of each key, at one revision, and its mark. */
    static void writeMarked(KafkaChangeSink sink, long revision, String... keys)
            throws SinkException {
        sink.write(Stream.of(keys).map(key -> put(revision, key)).toList());
        sink.mark(mark(Kind.PROGRESS, 1, revision));
    }

    /** Writes until that fails; returns the failure. */
    static SinkException writeUntilRefused(KafkaChangeSink sink, AtomicInteger written) {
        try {
            while (true) {
                int n = written.incrementAndGet();
                writeMarked(sink, 10 + n, "/a/x" + n % 7);
            }
        } catch (SinkException e) {
            return e;
        }
    }

    static MirrorEntry put(long revision, String key) {
        return put(revision, key, Bytes.utf8("value"));
    }

    static MirrorEntry put(long revision, String key, Bytes value) {
        Bytes name = Bytes.utf8(key);
        return new MirrorEntry(
                name,
                new Change.Put(
                        1, revision, 0, name, value, ContentType.RAW, revision, 1, 0, false, ""),
                null);
    }

    static MirrorEntry delete(long revision, String key) {
        Bytes name = Bytes.utf8(key);
        return new MirrorEntry(name, new Change.Delete(1, revision, 0, name), null);
    }

    static Change.TideMark mark(Kind kind, long epoch, long revision) {
        return new Change.TideMark(epoch, revision, kind, CLUSTER, "http://127.0.0.1:1");
    }

    /** A mark in every partition, as a connector of a later release might write it. */
    void markOfNewerFormat() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", bootstrap),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>(topic, partition, new byte[] {1}, new byte[] {2});
                record.headers()
                        .add(ChangeCodec.FORMAT_HEADER, "2".getBytes(StandardCharsets.UTF_8))
                        .add(ChangeCodec.EPOCH, "1".getBytes(StandardCharsets.UTF_8))
                        .add(ChangeCodec.MARK, "of a new kind".getBytes(StandardCharsets.UTF_8));
                producer.send(record).get();
            }
        }
    }

    List<Read> committed() {
        return MirrorReader.committed(bootstrap, topic);
    }

    List<Read> uncommitted() {
        return MirrorReader.uncommitted(bootstrap, topic);
    }

    Producer<byte[], byte[]> producer() {
        return new KafkaClients(bootstrap, Map.of()).producer(topic + "-another");
    }

    int partitionsOf(Producer<byte[], byte[]> producer) {
        return producer.partitionsFor(topic).size();
    }

    void addPartition() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(PARTITIONS + 1)))
                    .all()
                    .get();
            await().until(() -> partitions(admin) == PARTITIONS + 1);
        }
    }

    /** As a broker answers, which learns of added ones from its controller. */
    private int partitions(Admin admin) throws Exception {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .size();
    }

    /** Waits until the records are sent: unsent ones would vanish in an abort or a fence. */
    void awaitSent(String... keys) {
        await().until(() ->
                puts(uncommitted()).stream()
                        .map(put -> new String(put.key().array(), StandardCharsets.UTF_8))
                        .collect(Collectors.toSet())
                        .containsAll(List.of(keys)));
    }

    /** Waits until consumers that read committed records reach the end of the topic. */
    void awaitNoOpenTransaction() {
        await().until(() -> endOf("read_committed") == endOf("read_uncommitted"));
    }

    static List<Change.Put> puts(List<Read> reads) {
        List<Change.Put> puts = new ArrayList<>();
        for (Read read : reads) {
            if (read.change() instanceof Change.Put put) {
                puts.add(put);
            }
        }
        return puts;
    }
}
