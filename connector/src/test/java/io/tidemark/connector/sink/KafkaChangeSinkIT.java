package io.tidemark.connector.sink;

import static io.tidemark.connector.sink.SinkFixture.CLUSTER;
import static io.tidemark.connector.sink.SinkFixture.PARTITIONS;
import static io.tidemark.connector.sink.SinkFixture.SCOPE;
import static io.tidemark.connector.sink.SinkFixture.delete;
import static io.tidemark.connector.sink.SinkFixture.mark;
import static io.tidemark.connector.sink.SinkFixture.put;
import static io.tidemark.connector.sink.SinkFixture.puts;
import static io.tidemark.connector.sink.SinkFixture.writeMarked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.connector.MirrorReader;
import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.internals.Sender;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class KafkaChangeSinkIT {
    @TempDir static Path folder;
    @AutoClose private static EmbeddedKafka kafka;

    @AutoClose private SinkFixture topic;

    @BeforeAll
    static void startKafka() throws Exception {
        kafka = EmbeddedKafka.start(KafkaSettings.loopback(folder));
    }

    @BeforeEach
    void nameTopic(TestInfo test) {
        topic =
                new SinkFixture(
                        kafka.bootstrapServers(), test.getTestMethod().orElseThrow().getName());
    }

    @Test
    void anEmptyTopicHasNoResumePoint() throws Exception {
        assertThat(topic.sink().open().resume()).isEqualTo(new ResumePoint.Empty());
    }

    @Test
    void resumesAtTheLastCommittedMarkAndNotAtALaterAbortedOne() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        writeMarked(first, 11, "/a/x");
        first.commit();
        writeMarked(first, 12, "/a/aborted");
        topic.awaitSent("/a/aborted");
        first.abort();
        first.close();
        assertThat(topic.sink().open().resume()).isEqualTo(new ResumePoint.At(1, 11, CLUSTER));
    }

    /** After a downgrade: skipping them would begin the mirror again from an older mark. */
    @Test
    void refusesATopicWithRecordsOfANewerFormat() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        first.close();
        topic.markOfNewerFormat();
        topic.awaitNoOpenTransaction();
        long end = topic.endOf("read_committed");
        KafkaChangeSink older = topic.sink();
        assertThatThrownBy(older::open)
                .isInstanceOf(SinkException.InvalidTopic.class)
                .hasMessageContaining("format 2, this release reads format 1 only");
        assertThat(topic.endOf("read_committed")).isEqualTo(end);
    }

    @Test
    void openingAbortsThePreviousWritersTransaction() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        writeMarked(first, 11, "/a/x");
        topic.awaitSent("/a/x");
        KafkaChangeSink second = topic.sink();
        assertThat(second.open().resume()).isEqualTo(new ResumePoint.At(1, 10, CLUSTER));
        writeMarked(second, 11, "/a/x");
        second.commit();
        topic.awaitNoOpenTransaction();
        assertThat(MirrorReader.marked(topic.committed())).isEqualTo(11);
        assertThat(puts(topic.committed())).hasSize(1);
        assertThat(puts(topic.uncommitted())).hasSize(2);
    }

    @Test
    void reportsAFencedWriterAndAppendsNothing() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        first.write(List.of(put(11, "/a/x")));
        topic.awaitSent("/a/x");
        KafkaChangeSink second = topic.sink();
        second.open();
        assertThatThrownBy(
                        () -> {
                            writeMarked(first, 12, "/b/y");
                            first.commit();
                        })
                .isInstanceOf(SinkException.Fenced.class)
                .hasMessageContaining("another producer has fenced this one of topic ");
        assertThat(puts(topic.uncommitted())).extracting(Change.Put::revision).containsExactly(11L);
    }

    /** Each such failure delays all readers, and logs a few dozen lines on both sides. */
    @Test
    void noBatchFailsOutOfOrderAtTheStartOfATransaction() throws Exception {
        KafkaChangeSink busy = topic.listed(1, 10);
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
                writeMarked(busy, revision, "/a/x", "/b/y");
            }
            busy.commit();
        } finally {
            sender.detachAppender(appender);
        }
        assertThat(appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(text -> text.contains("OUT_OF_ORDER"));
        topic.awaitNoOpenTransaction();
        assertThat(MirrorReader.marked(topic.committed())).isEqualTo(599);
    }

    @Test
    void aTransactionBeginsByRepeatingTheLastProgressMark() throws Exception {
        KafkaChangeSink sink = topic.listed(1, 10);
        List<Read> listed = topic.uncommitted();
        sink.beginTransaction();
        assertThat(topic.uncommitted()).as("after the mark of a list").isEqualTo(listed);
        Change.TideMark last = mark(Kind.PROGRESS, 1, 11).withTime(77);
        sink.mark(last);
        sink.commit();
        sink.beginTransaction();
        assertThat(topic.uncommitted())
                .filteredOn(read -> read.change().equals(last.withScope(SCOPE)))
                .hasSize(2 * PARTITIONS);
    }

    @Test
    void reportsAFencedWriterWithoutATransaction() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        KafkaChangeSink second = topic.sink();
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
        KafkaChangeSink first = topic.sink();
        first.open();
        first.mark(mark(Kind.LIST_BEGIN, 1, 10));
        first.write(List.of(put(9, "/a/x")));
        first.mark(mark(Kind.LIST_END, 1, 10));
        topic.awaitSent("/a/x");
        KafkaChangeSink second = topic.sink();
        assertThat(second.open().resume()).isInstanceOf(ResumePoint.Incomplete.class);
        assertThat(((ResumePoint.Incomplete) second.open().resume()).highestEpoch()).isEqualTo(1);
        assertThat(second.loadKeys()).containsExactly(Bytes.utf8("/a/x"));
    }

    @Test
    void aPartialSecondListIsIncomplete() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        first.write(List.of(put(11, "/a/x"), put(12, "/a/deleted")));
        first.write(List.of(delete(13, "/a/deleted")));
        first.mark(mark(Kind.PROGRESS, 1, 13));
        first.commit();
        first.mark(mark(Kind.LIST_BEGIN, 2, 20));
        first.write(List.of(put(15, "/b/y")));
        first.write(List.of(delete(20, "/a/x")));
        topic.awaitSent("/b/y");
        KafkaChangeSink second = topic.sink();
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
        KafkaChangeSink first = topic.listed(1, 10);
        first.write(List.of(put(11, "/a/rewritten"), put(14, "/a/stale")));
        first.mark(mark(Kind.PROGRESS, 1, 14));
        topic.awaitSent("/a/rewritten", "/a/stale");
        first.abort();
        first.close();
        KafkaChangeSink second = topic.sink();
        assertThat(second.open().fingerprint().allowCommit(13)).isFalse();
        writeMarked(second, 11, "/a/rewritten");
        second.commit();
        second.close();
        KafkaChangeSink third = topic.sink();
        third.open();
        KeyTable held = third.loadKeyVersions();
        assertThat(held.uncommitted(held.find(Bytes.utf8("/a/stale")))).isEqualTo(14);
        assertThat(held.revision(held.find(Bytes.utf8("/a/rewritten")))).isEqualTo(11);
        long now = System.currentTimeMillis();
        Duration lag = third.history();
        assertThat(held.mayMissAbortedWrites(lag, now)).isFalse();
        assertThat(held.mayMissAbortedWrites(lag, now + lag.toMillis())).isTrue();
    }

    /** An etcd that was restored counts from a lower revision again. */
    @Test
    void putsOfAnEarlierEpochDoNotCount() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        writeMarked(first, 50, "/a/x");
        first.commit();
        first.mark(mark(Kind.LIST_BEGIN, 2, 20));
        first.mark(mark(Kind.LIST_END, 2, 20));
        first.commit();
        KeyTable held = first.loadKeyVersions();
        assertThat(held.find(Bytes.utf8("/a/x"))).isNegative();
    }

    /** Waiting for the transaction's end would take 30 s, and only this writer could end it. */
    @Test
    void keysAreNotLoadedInsideATransaction() throws Exception {
        KafkaChangeSink sink = topic.listed(1, 10);
        writeMarked(sink, 11, "/a/x");
        assertThatThrownBy(sink::loadKeyVersions)
                .isInstanceOf(SinkException.Lost.class)
                .hasMessageContaining("inside a transaction");
        assertThatThrownBy(sink::loadKeys)
                .isInstanceOf(SinkException.Lost.class)
                .hasMessageContaining("inside a transaction");
        sink.commit();
        assertThat(sink.loadKeys()).hasSize(1);
    }

    /**
     * Otherwise it waits until the broker aborts that transaction, and no connector follows etcd.
     */
    @Test
    void aReaderDoesNotWaitForTheTransactionOfAConnectorThatTookOver() throws Exception {
        KafkaChangeSink replaced = topic.listed(1, 10);
        KafkaChangeSink next = topic.sink();
        next.open();
        writeMarked(next, 11, "/a/x");
        await().until(() -> MirrorReader.marked(topic.uncommitted()) == 11);
        assertThatThrownBy(replaced::loadKeyVersions)
                .isInstanceOf(SinkException.Lost.class)
                .hasStackTraceContaining("another connector's transaction stays open");
    }

    @Test
    void addedPartitionsNeedAList() throws Exception {
        KafkaChangeSink sink = topic.listed(1, 10);
        sink.close();
        topic.addPartition();

        assertThat(sink.open().resume())
                .isEqualTo(new ResumePoint.Incomplete(1, "a partition has no marks"));
        sink.mark(mark(Kind.LIST_BEGIN, 2, 20));
        sink.mark(mark(Kind.LIST_END, 2, 20));
        sink.commit();

        assertThat(topic.sink().open().resume()).isEqualTo(new ResumePoint.At(2, 20, CLUSTER));
    }

    @Test
    void theProducerNoticesAddedPartitionsSoon() throws Exception {
        topic.sink().open();
        try (Producer<byte[], byte[]> producer = topic.producer()) {
            assertThat(topic.partitionsOf(producer)).isEqualTo(PARTITIONS);
            topic.addPartition();
            await().until(() -> topic.partitionsOf(producer) == PARTITIONS + 1);
        }
    }

    @Test
    void findsMarksBeforeALongAbortedTail() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
        for (int batch = 0; batch < 5; batch++) {
            List<MirrorEntry> changes = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                changes.add(put(11 + batch, "/a/k" + i));
            }
            first.write(changes);
        }
        topic.awaitSent("/a/k999");
        first.abort();
        first.close();
        assertThat(topic.sink().open().resume()).isEqualTo(new ResumePoint.At(1, 10, CLUSTER));
    }

    @Test
    void aTooLargeRecordFailsOnlyItsTransaction() throws Exception {
        KafkaChangeSink first = topic.listed(1, 10);
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
    @LongTest
    void aTransactionTimeoutIsNotReportedAsFencing() throws Exception {
        KafkaChangeSink first = topic.sink(Map.of("transaction.timeout.ms", 10_000));
        first.open();
        first.mark(mark(Kind.LIST_BEGIN, 1, 10));
        first.mark(mark(Kind.LIST_END, 1, 10));
        first.commit();
        first.write(List.of(put(11, "/a/x")));
        topic.awaitSent("/a/x");
        // The broker aborts it.
        topic.awaitNoOpenTransaction();
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
    @LongTest
    void everyTakeoverOfABusyWriterFencesIt() throws Exception {
        KafkaChangeSink writer = topic.listed(1, 10);
        for (int takeover = 0; takeover < 8; takeover++) {
            KafkaChangeSink busy = writer;
            AtomicInteger written = new AtomicInteger();
            FutureTask<SinkException> end =
                    new FutureTask<>(() -> SinkFixture.writeUntilRefused(busy, written));
            Thread.ofVirtual().start(end);
            await().until(() -> written.get() > 50);
            writer = topic.sink();
            writer.open();
            assertThat(end.get(3, TimeUnit.MINUTES)).isInstanceOf(SinkException.Fenced.class);
        }
    }
}
