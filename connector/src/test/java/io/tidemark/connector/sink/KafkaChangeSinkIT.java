package io.tidemark.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.MirrorReader;
import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.local.EmbeddedKafka;
import io.tidemark.local.KafkaSettings;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ContentType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.internals.Sender;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class KafkaChangeSinkIT {
    private static final long CLUSTER = 0xfeedL;
    private static final int PARTITIONS = 3;
    private static final String SCOPE = "everything";

    @TempDir static Path folder;
    private static EmbeddedKafka kafka;

    private final List<KafkaChangeSink> sinks = new ArrayList<>();
    private String topic;

    @BeforeAll
    static void startKafka() throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder));
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @BeforeEach
    void nameTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void closeSinks() {
        sinks.forEach(KafkaChangeSink::close);
    }

    @Test
    void anEmptyTopicHasNoResumePoint() throws Exception {
        assertThat(sink().open().resume()).isEqualTo(new ResumePoint.Empty());
    }

    @Test
    void resumesAtTheLastCommittedMarkAndNotAtALaterAbortedOne() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        first.write(List.of(put(11, "/a/x")));
        first.mark(mark(Kind.PROGRESS, 1, 11));
        first.commit();
        first.write(List.of(put(12, "/a/x")));
        first.mark(mark(Kind.PROGRESS, 1, 12));
        first.abort();
        first.close();
        assertThat(sink().open().resume()).isEqualTo(new ResumePoint.At(1, 11, CLUSTER));
    }

    @Test
    void openingAbortsThePreviousWritersTransaction() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        first.write(List.of(put(11, "/a/x")));
        first.mark(mark(Kind.PROGRESS, 1, 11));
        KafkaChangeSink second = sink();
        assertThat(second.open().resume()).isEqualTo(new ResumePoint.At(1, 10, CLUSTER));
        second.write(List.of(put(11, "/a/x")));
        second.mark(mark(Kind.PROGRESS, 1, 11));
        second.commit();
        assertThat(MirrorReader.marked(committed())).isEqualTo(11);
        assertThat(puts(committed())).hasSize(1);
        assertThat(puts(uncommitted())).hasSize(2);
    }

    @Test
    void reportsAFencedWriterAndAppendsNothing() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        first.write(List.of(put(11, "/a/x")));
        KafkaChangeSink second = sink();
        second.open();
        assertThatThrownBy(
                        () -> {
                            first.write(List.of(put(12, "/b/y")));
                            first.mark(mark(Kind.PROGRESS, 1, 12));
                            first.commit();
                        })
                .isInstanceOf(SinkException.Fenced.class)
                .hasMessageContaining("another connector has taken over");
        assertThat(puts(uncommitted())).extracting(Change.Put::revision).containsExactly(11L);
    }

    /** Each such failure delays all readers, and logs a few dozen lines on both sides. */
    @Test
    void noBatchFailsOutOfOrderAtTheStartOfATransaction() throws Exception {
        KafkaChangeSink busy = listed(1, 10);
        busy.mark(mark(Kind.PROGRESS, 1, 10));
        busy.commit();
        busy.beginTransaction();
        Logger sender = (Logger) LoggerFactory.getLogger(Sender.class);
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        sender.addAppender(appender);
        try {
            for (int revision = 11; revision < 600; revision++) {
                if (revision % 30 == 0) {
                    busy.commit();
                    busy.beginTransaction();
                }
                busy.write(List.of(put(revision, "/a/x"), put(revision, "/b/y")));
                busy.mark(mark(Kind.PROGRESS, 1, revision));
            }
            busy.commit();
        } finally {
            sender.detachAppender(appender);
        }
        assertThat(appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(text -> text.contains("OUT_OF_ORDER"));
        assertThat(MirrorReader.marked(committed())).isEqualTo(599);
    }

    @Test
    void aTransactionBeginsByRepeatingTheLastProgressMark() throws Exception {
        KafkaChangeSink sink = listed(1, 10);
        List<Read> listed = uncommitted();
        sink.beginTransaction();
        assertThat(uncommitted()).as("after the mark of a list").isEqualTo(listed);
        Change.TideMark last = mark(Kind.PROGRESS, 1, 11).withTime(77);
        sink.mark(last);
        sink.commit();
        sink.beginTransaction();
        assertThat(uncommitted())
                .filteredOn(read -> read.change().equals(last.withScope(SCOPE)))
                .hasSize(2 * PARTITIONS);
    }

    @Test
    void reportsAFencedWriterWithoutATransaction() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        KafkaChangeSink second = sink();
        second.open();
        assertThatThrownBy(
                        () -> {
                            first.mark(mark(Kind.PROGRESS, 1, 11));
                            first.commit();
                        })
                .isInstanceOf(SinkException.Fenced.class);
    }

    @Test
    void aPartialFirstListIsIncompleteAndItsKeysCountAsLive() throws Exception {
        KafkaChangeSink first = sink();
        first.open();
        first.mark(mark(Kind.LIST_BEGIN, 1, 10));
        first.write(List.of(put(9, "/a/x")));
        first.mark(mark(Kind.LIST_END, 1, 10));
        awaitSent("/a/x");
        KafkaChangeSink second = sink();
        assertThat(second.open().resume()).isInstanceOf(ResumePoint.Incomplete.class);
        assertThat(((ResumePoint.Incomplete) second.open().resume()).highestEpoch()).isEqualTo(1);
        assertThat(second.loadKeys()).containsExactly(Bytes.utf8("/a/x"));
    }

    @Test
    void aPartialSecondListIsIncomplete() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        first.write(List.of(put(11, "/a/x"), put(12, "/a/deleted")));
        first.write(List.of(delete(13, "/a/deleted")));
        first.mark(mark(Kind.PROGRESS, 1, 13));
        first.commit();
        first.mark(mark(Kind.LIST_BEGIN, 2, 20));
        first.write(List.of(put(15, "/b/y")));
        first.write(List.of(delete(20, "/a/x")));
        awaitSent("/b/y");
        KafkaChangeSink second = sink();
        ResumePoint resume = second.open().resume();
        assertThat(resume).isInstanceOf(ResumePoint.Incomplete.class);
        assertThat(((ResumePoint.Incomplete) resume).highestEpoch()).isEqualTo(2);
        // Read-committed consumers still have /a/x, and read-uncommitted ones have seen /b/y.
        assertThat(second.loadKeys())
                .containsExactlyInAnyOrder(Bytes.utf8("/a/x"), Bytes.utf8("/b/y"));
    }

    /** A writer in between committed a mark before it had written all aborted changes again. */
    @Test
    void loadsAbortedWritesFromBeforeTheLastCommittedMark() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        first.write(List.of(put(11, "/a/rewritten"), put(14, "/a/stale")));
        first.mark(mark(Kind.PROGRESS, 1, 14));
        awaitSent("/a/rewritten", "/a/stale");
        first.abort();
        first.close();
        KafkaChangeSink second = sink();
        assertThat(second.open().fingerprint().allowCommit(13)).isFalse();
        second.write(List.of(put(11, "/a/rewritten")));
        second.mark(mark(Kind.PROGRESS, 1, 11));
        second.commit();
        second.close();
        KafkaChangeSink third = sink();
        third.open();
        KeyTable held = third.loadKeyVersions();
        assertThat(held.uncommitted(held.find(Bytes.utf8("/a/stale")))).isEqualTo(14);
        assertThat(held.revision(held.find(Bytes.utf8("/a/rewritten")))).isEqualTo(11);
        long now = System.currentTimeMillis();
        Duration lag = third.history();
        assertThat(held.mayMissAbortedWrites(lag, now)).isFalse();
        assertThat(held.mayMissAbortedWrites(lag, now + lag.toMillis())).isTrue();
    }

    @Test
    void findsMarksBeforeALongAbortedTail() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        for (int batch = 0; batch < 5; batch++) {
            List<MirrorEntry> changes = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                changes.add(put(11 + batch, "/a/k" + i));
            }
            first.write(changes);
        }
        first.abort();
        first.close();
        assertThat(sink().open().resume()).isEqualTo(new ResumePoint.At(1, 10, CLUSTER));
    }

    @Test
    void aTooLargeRecordFailsOnlyItsTransaction() throws Exception {
        KafkaChangeSink first = listed(1, 10);
        Bytes huge = Bytes.wrap(new byte[20 * 1024 * 1024]);
        assertThatThrownBy(
                        () -> {
                            first.write(List.of(put(11, "/a/x", huge)));
                            first.commit();
                        })
                .isInstanceOf(SinkException.Lost.class)
                .hasMessageContaining("RecordTooLarge");
        first.close();
        assertThat(first.open().resume()).isEqualTo(new ResumePoint.At(1, 10, CLUSTER));
    }

    @Test
    void aTransactionTimeoutIsNotReportedAsFencing() throws Exception {
        KafkaChangeSink first = sink(Map.of("transaction.timeout.ms", 1_000));
        first.open();
        first.mark(mark(Kind.LIST_BEGIN, 1, 10));
        first.mark(mark(Kind.LIST_END, 1, 10));
        first.commit();
        first.write(List.of(put(11, "/a/x")));
        // The broker aborts it: then a read-committed consumer's end offset passes the record.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> endOf("read_committed") == endOf("read_uncommitted"));
        assertThatThrownBy(
                        () -> {
                            first.write(List.of(put(12, "/a/x")));
                            first.commit();
                        })
                .isInstanceOf(SinkException.Lost.class);
        first.close();
        assertThat(first.open().resume()).isEqualTo(new ResumePoint.At(1, 10, CLUSTER));
    }

    /**
     * Regression: a takeover in mid-write was mistaken for a timeout, and the fenced writer
     * returned.
     */
    @Test
    void everyTakeoverOfABusyWriterFencesIt() throws Exception {
        KafkaChangeSink writer = listed(1, 10);
        for (int takeover = 0; takeover < 8; takeover++) {
            KafkaChangeSink busy = writer;
            AtomicInteger written = new AtomicInteger();
            FutureTask<SinkException> end =
                    new FutureTask<>(() -> writeUntilRefused(busy, written));
            Thread.ofVirtual().start(end);
            await().until(() -> written.get() > 50);
            writer = sink();
            writer.open();
            assertThat(end.get(60, TimeUnit.SECONDS)).isInstanceOf(SinkException.Fenced.class);
        }
    }

    private static SinkException writeUntilRefused(KafkaChangeSink sink, AtomicInteger written) {
        try {
            while (true) {
                int n = written.incrementAndGet();
                sink.write(List.of(put(10 + n, "/a/x" + n % 7)));
                sink.mark(mark(Kind.PROGRESS, 1, 10 + n));
            }
        } catch (SinkException e) {
            return e;
        }
    }

    private long endOf(String isolation) {
        return MirrorReader.ends(kafka.bootstrapServers(), topic, isolation).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private KafkaChangeSink listed(long epoch, long revision) throws SinkException {
        KafkaChangeSink sink = sink();
        sink.open();
        sink.mark(mark(Kind.LIST_BEGIN, epoch, revision));
        sink.mark(mark(Kind.LIST_END, epoch, revision));
        sink.commit();
        return sink;
    }

    private KafkaChangeSink sink() {
        return sink(Map.of());
    }

    private KafkaChangeSink sink(Map<String, Object> settings) {
        KafkaChangeSink sink =
                new KafkaChangeSink(
                        new KafkaClients(kafka.bootstrapServers(), settings),
                        TopicSettings.DEFAULT.withName(topic).withPartitions(PARTITIONS),
                        SCOPE,
                        new ConnectorMetrics(new SimpleMeterRegistry()));
        sinks.add(sink);
        return sink;
    }

    private static MirrorEntry put(long revision, String key) {
        return put(revision, key, Bytes.utf8("value"));
    }

    private static MirrorEntry put(long revision, String key, Bytes value) {
        Bytes name = Bytes.utf8(key);
        return new MirrorEntry(
                name,
                new Change.Put(
                        1, revision, 0, name, value, ContentType.RAW, revision, 1, 0, false, ""),
                null);
    }

    private static MirrorEntry delete(long revision, String key) {
        Bytes name = Bytes.utf8(key);
        return new MirrorEntry(name, new Change.Delete(1, revision, 0, name), null);
    }

    private static Change.TideMark mark(Kind kind, long epoch, long revision) {
        return new Change.TideMark(epoch, revision, kind, CLUSTER, "http://127.0.0.1:1");
    }

    private List<Read> committed() {
        return MirrorReader.committed(kafka.bootstrapServers(), topic);
    }

    private List<Read> uncommitted() {
        return MirrorReader.uncommitted(kafka.bootstrapServers(), topic);
    }

    /** Waits until the records are sent: unsent ones would vanish in an abort or a fence. */
    private void awaitSent(String... keys) {
        await().until(() ->
                puts(uncommitted()).stream()
                        .map(put -> new String(put.key().array(), StandardCharsets.UTF_8))
                        .collect(Collectors.toSet())
                        .containsAll(List.of(keys)));
    }

    private static List<Change.Put> puts(List<Read> reads) {
        List<Change.Put> puts = new ArrayList<>();
        for (Read read : reads) {
            if (read.change() instanceof Change.Put put) {
                puts.add(put);
            }
        }
        return puts;
    }
}
