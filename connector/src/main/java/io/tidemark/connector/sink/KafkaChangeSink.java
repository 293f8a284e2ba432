package io.tidemark.connector.sink;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.metrics.TermGauges;
import io.tidemark.connector.sink.TopicClients.Isolation;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.NewerFormatException;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Writes the mirror topic through one transactional producer. The transaction is a fence, not a
 * unit of visibility: it stays open over many batches, and initializing the transactional id fences
 * its previous holder. The last connector that opens the sink is the writer, so only the elected
 * leader opens it.
 */
public final class KafkaChangeSink implements ChangeSink {
    /**
     * How long keys are still written to their former partitions once others were added: nodes that
     * run look for them there. A node checks the number of partitions every 5 s, of which one check
     * may fail, and needs up to 15 s to end.
     */
    private static final long NODES_END_NANOS = Duration.ofSeconds(30).toNanos();

    private final TopicClients clients;
    private final TopicSettings settings;
    private final String scope;
    private final ConnectorMetrics metrics;
    private final TermGauges term;
    private final DeadLetters deadLetters;
    private final CorruptRangeTracker corruptRanges;
    private final CorruptRangeTracker corruptLetterRanges;

    private @Nullable TransactionalWriter writer;
    private volatile PartitionAssigner assigner = new PartitionAssigner(1);

    /** By {@link TimeSource#nanoTime}; null while the topic has the partitions that are written. */
    private @Nullable Long partitionsChangedAt;

    /** Null when it was not a progress mark, or none was written since the sink was opened. */
    private @Nullable TopicRecord lastMark;

    /**
     * @param scope what is mirrored; part of every mark, and a topic whose marks have another scope
     *     must be relisted
     */
    public KafkaChangeSink(
            TopicClients clients, TopicSettings settings, String scope, ConnectorMetrics metrics) {
        this.scope = scope;
        this.clients = clients;
        this.settings = settings;
        this.metrics = metrics;
        this.term = metrics.term();
        this.corruptRanges = new CorruptRangeTracker(metrics);
        this.corruptLetterRanges = new CorruptRangeTracker(metrics);
        this.deadLetters = new DeadLetters(settings.deadLetters());
    }

    /** Partitions of the topic when it was last opened. Thread-safe. */
    public int partitions() {
        return assigner.partitions();
    }

    @Override
    public Opened open() throws SinkException {
        close();
        MirrorTopics.Prepared prepared = guarded(() -> clients.prepare(settings));
        if (prepared.invalidReason().isPresent()) {
            throw new SinkException.InvalidTopic(prepared.invalidReason().get());
        }
        return guarded(() -> {
            lastMark = null;
            partitionsChangedAt = null;
            writer =
                    new TransactionalWriter(
                            clients, settings.transactionalId(), settings.name(), metrics);
            writer.fenceOthers();
            corruptRanges.forget();
            ResumePoint previous;
            HistoryFingerprint fingerprint;
            try (PartitionReader committed = reader(Isolation.COMMITTED);
                    PartitionReader all = reader(Isolation.UNCOMMITTED)) {
                // The partitions whose marks are read: more may be added at any time.
                assigner = new PartitionAssigner(committed.partitions().size());
                TopicMarks marks = new TopicMarks(committed);
                previous = marks.resumePoint(all, scope);
                fingerprint =
                        previous instanceof ResumePoint.At at
                                ? new TopicFingerprintReader(marks, all).of(at.epoch())
                                : new HistoryFingerprint();
            }
            ResumePoint resume =
                    corruptRanges
                            .unrepaired(clients, settings.name())
                            .map(why -> previous.asIncomplete(why, corruptRanges.hiddenEpochs()))
                            .orElse(previous);
            deadLetters.load(clients, corruptLetterRanges);
            term.unreadableKeys(deadLetters.unreadableKeys());
            return new Opened(
                    resume,
                    Math.min(prepared.maxMessageBytes(), clients.maxRequestBytes()),
                    fingerprint);
        });
    }

    @Override
    public Set<Bytes> loadKeys() throws SinkException {
        requireNoTransaction();
        return guarded(() -> keys().loadKeys());
    }

    @Override
    public KeyTable loadKeyVersions() throws SinkException {
        requireNoTransaction();
        return guarded(() -> {
            corruptRanges.forget();
            KeyTable held = keys().loadKeyVersions();
            corruptRanges.unrepaired(clients, settings.name()).ifPresent(held::markIncomplete);
            return held;
        });
    }

    /**
     * Readers of committed records would wait for the end of a transaction that only this writer
     * can end. It is open while aborted changes have not all been written again.
     */
    private void requireNoTransaction() throws SinkException {
        if (opened().inTransaction()) {
            throw new SinkException.Lost(
                    "the topic's keys cannot be loaded inside a transaction; reopening the topic"
                            + " aborts it");
        }
    }

    private PartitionReader reader(Isolation isolation) {
        return new PartitionReader(clients, isolation, settings.name(), corruptRanges);
    }

    private TopicKeys keys() {
        return new TopicKeys(clients, settings.name(), corruptRanges);
    }

    @Override
    public Duration history() {
        return settings.history();
    }

    @Override
    public void write(List<MirrorEntry> changes) throws SinkException {
        guarded(() -> {
            long bytes = 0;
            for (MirrorEntry mirrored : changes) {
                bytes += write(mirrored);
            }
            metrics.wroteBatch(changes.size(), bytes);
            term.unreadableKeys(deadLetters.unreadableKeys());
            return true;
        });
    }

    private long write(MirrorEntry mirrored) {
        long bytes = 0;
        if (mirrored.change() != null) {
            TopicRecord record = ChangeCodec.encode(mirrored.change());
            opened().send(record(assigner.partitionOf(record.key()), record, headers(record)));
            bytes = record.key().length() + (record.value() == null ? 0 : record.value().length());
        }
        if (mirrored.deadLetter() != null) {
            metrics.deadLetter(mirrored.deadLetter().reason());
            opened().send(deadLetters.record(mirrored.deadLetter()));
        } else {
            deadLetters.recovered(mirrored.key()).ifPresent(opened()::send);
        }
        return bytes;
    }

    @Override
    public void mark(Change.TideMark mark) throws SinkException {
        guarded(() -> {
            TopicRecord record = ChangeCodec.encode(mark.withScope(scope));
            AtomicInteger missing = new AtomicInteger(assigner.partitions());
            sendToAll(
                    record,
                    () -> {
                        if (missing.decrementAndGet() == 0) {
                            term.marked(mark.epoch(), mark.revision());
                        }
                    });
            metrics.wroteMark(assigner.partitions());
            lastMark = mark.kind() == Change.TideMark.Kind.PROGRESS ? record : null;
            return true;
        });
    }

    /**
     * The broker rejects a partition's first batch of a transaction while it still completes the
     * previous one there. Batches sent after a rejected one fail with it, out of order, and are
     * retried after one or several backoffs: so this sends a single mark and waits for it. The mark
     * keeps its time; it adds nothing new.
     */
    @Override
    public void beginTransaction() throws SinkException {
        TopicRecord mark = lastMark;
        if (mark != null && writer != null && !writer.inTransaction()) {
            guarded(() -> {
                sendToAll(mark, () -> {});
                opened().flush();
                return true;
            });
        }
    }

    private void sendToAll(TopicRecord mark, Runnable acknowledged) {
        List<Header> headers = headers(mark);
        for (int p = 0; p < assigner.partitions(); p++) {
            opened().send(record(p, mark, headers), acknowledged);
        }
    }

    private ProducerRecord<byte[], byte[]> record(
            int partition, TopicRecord record, List<Header> headers) {
        return new ProducerRecord<>(
                settings.name(),
                partition,
                record.key().array(),
                record.value() == null ? null : record.value().array(),
                headers);
    }

    private static List<Header> headers(TopicRecord record) {
        List<Header> headers = new ArrayList<>(record.headers().size());
        for (TopicRecord.Header header : record.headers()) {
            headers.add(
                    new RecordHeader(
                            header.name(), header.value().getBytes(StandardCharsets.UTF_8)));
        }
        return headers;
    }

    @Override
    public void commit() throws SinkException {
        TransactionalWriter committing = writer;
        if (committing == null) {
            return;
        }
        int now =
                guarded(() -> {
                    committing.commit();
                    return committing.partitions();
                });
        if (now == partitions()) {
            partitionsChangedAt = null;
        } else if (partitionsChangedAt == null) {
            partitionsChangedAt = clients.time().nanoTime();
        } else if (clients.time().nanoTime() - partitionsChangedAt >= NODES_END_NANOS) {
            // Keys belong to other partitions now. Opening the topic finds the added ones without
            // marks, so that a list writes all keys again.
            throw new SinkException.Lost(
                    "topic %s has %d partitions instead of %d"
                            .formatted(settings.name(), now, partitions()));
        }
    }

    @Override
    public void abort() throws SinkException {
        guarded(() -> {
            if (writer != null && writer.abort()) {
                deadLetters.load(clients, corruptLetterRanges);
            }
            return true;
        });
    }

    private TransactionalWriter opened() {
        if (writer == null) {
            throw new IllegalStateException("the sink is not open");
        }
        return writer;
    }

    /** Maps Kafka's failures to what they mean for this connector. */
    private <T> T guarded(Callable<T> action) throws SinkException {
        try {
            return action.call();
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new SinkException.Lost("interrupted", e);
        } catch (NewerFormatException e) {
            throw new SinkException.InvalidTopic(
                    "topic " + settings.name() + ": " + e.getMessage());
        } catch (ExecutionException e) {
            throw failed(e.getCause() instanceof Exception cause ? cause : e);
        } catch (Exception e) {
            throw failed(e);
        }
    }

    private SinkException failed(Exception e) {
        return writer == null ? SinkException.lost(e) : writer.explain(e);
    }

    @Override
    public void close() {
        TransactionalWriter open = writer;
        writer = null;
        if (open != null) {
            open.close();
        }
    }
}
