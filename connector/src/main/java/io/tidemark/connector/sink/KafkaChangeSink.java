package io.tidemark.connector.sink;

import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.feed.Witnesses;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.connector.value.Mirrored;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mirror topic, through one transactional producer. The transaction is a fence, not a unit of
 * visibility: it stays open over many batches, and taking over the transactional id shuts out
 * whoever held it. That makes the last caller the writer: once several connectors run, whoever wins
 * the lead opens the sink, and nobody else.
 */
public final class KafkaChangeSink implements ChangeSink {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaChangeSink.class);
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final KafkaClients clients;
    private final TopicSettings settings;
    private final String scope;
    private final ConnectorMetrics metrics;
    private final DeadLetters deadLetters;

    /** First failure of a send since the sink was opened; producer callbacks write it. */
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private @Nullable Producer<byte[], byte[]> producer;
    private PartitionAssigner assigner = new PartitionAssigner(1);
    private boolean inTransaction;

    /** Null when it was not one of progress, or none was written since the sink was opened. */
    private @Nullable TopicRecord lastMark;

    /** By {@link System#nanoTime}. */
    private long transactionBegan;

    /**
     * @param scope what is mirrored; stands in every mark, and a topic whose marks say otherwise is
     *     to be listed anew
     */
    public KafkaChangeSink(
            KafkaClients clients, TopicSettings settings, String scope, ConnectorMetrics metrics) {
        this.scope = scope;
        this.clients = clients;
        this.settings = settings;
        this.metrics = metrics;
        this.deadLetters = new DeadLetters(settings.deadLetters());
    }

    @Override
    public Opened open() throws SinkException {
        close();
        MirrorTopics.Prepared prepared = guarded(this::prepareTopics);
        if (prepared.unfit().isPresent()) {
            throw new SinkException.Unfit(prepared.unfit().get());
        }
        assigner = new PartitionAssigner(prepared.partitions());
        return guarded(() -> {
            failure.set(null);
            inTransaction = false;
            lastMark = null;
            producer = clients.producer(settings.transactionalId());
            producer.initTransactions();
            ResumePoint resume = new TopicMarks(clients, settings.name()).resumePoint(scope);
            Witnesses witnesses =
                    resume instanceof ResumePoint.At at
                            ? new TopicKeys(clients, settings.name()).witnesses(at.epoch())
                            : new Witnesses();
            deadLetters.load(clients);
            metrics.unreadableKeys(deadLetters.unreadableKeys());
            return new Opened(
                    resume,
                    Math.min(prepared.maxMessageBytes(), clients.maxRequestBytes()),
                    witnesses);
        });
    }

    private MirrorTopics.Prepared prepareTopics() throws Exception {
        try (Admin admin = clients.admin()) {
            return new MirrorTopics(admin, settings, clients.bootstrap()).prepare();
        }
    }

    @Override
    public Set<Bytes> liveKeys() throws SinkException {
        return guarded(() -> new TopicKeys(clients, settings.name()).liveKeys());
    }

    @Override
    public KeyTable heldKeys() throws SinkException {
        return guarded(() -> new TopicKeys(clients, settings.name()).heldKeys());
    }

    @Override
    public void write(List<Mirrored> changes) throws SinkException {
        guarded(() -> {
            long bytes = 0;
            for (Mirrored mirrored : changes) {
                bytes += write(mirrored);
            }
            metrics.wroteBatch(changes.size(), bytes);
            metrics.unreadableKeys(deadLetters.unreadableKeys());
            return true;
        });
    }

    private long write(Mirrored mirrored) {
        long bytes = 0;
        if (mirrored.change() != null) {
            TopicRecord record = ChangeCodec.encode(mirrored.change());
            send(record(assigner.partitionOf(record.key()), record), this::onSent);
            bytes = record.key().length() + (record.value() == null ? 0 : record.value().length());
        }
        if (mirrored.deadLetter() != null) {
            metrics.deadLetter(mirrored.deadLetter().reason());
            send(deadLetters.record(mirrored.deadLetter()), this::onSent);
        } else {
            deadLetters.recovered(mirrored.key()).ifPresent(r -> send(r, this::onSent));
        }
        return bytes;
    }

    @Override
    public void mark(Change.TideMark mark) throws SinkException {
        guarded(() -> {
            TopicRecord record = ChangeCodec.encode(mark.withScope(scope));
            AtomicInteger missing = new AtomicInteger(assigner.partitions());
            Callback counted =
                    (metadata, e) -> {
                        onSent(metadata, e);
                        if (e == null && missing.decrementAndGet() == 0) {
                            metrics.marked(mark.epoch(), mark.revision());
                        }
                    };
            for (int p = 0; p < assigner.partitions(); p++) {
                send(record(p, record), counted);
            }
            metrics.wroteMark(assigner.partitions());
            lastMark = mark.kind() == Change.TideMark.Kind.PROGRESS ? record : null;
            return true;
        });
    }

    /**
     * The broker refuses a partition's first batch of a transaction while it still ends the one
     * before there. What was sent behind that batch fails with it, out of order, and comes again
     * after one pause or several: so nothing is sent behind it. Its time stays the mark's own; it
     * says nothing new.
     */
    @Override
    public void beginTransaction() throws SinkException {
        TopicRecord mark = lastMark;
        if (mark != null && !inTransaction) {
            guarded(() -> {
                for (int p = 0; p < assigner.partitions(); p++) {
                    send(record(p, mark), this::onSent);
                }
                opened().flush();
                throwFailure();
                return true;
            });
        }
    }

    private ProducerRecord<byte[], byte[]> record(int partition, TopicRecord record) {
        ProducerRecord<byte[], byte[]> made =
                new ProducerRecord<>(
                        settings.name(),
                        partition,
                        record.key().array(),
                        record.value() == null ? null : record.value().array());
        for (TopicRecord.Header header : record.headers()) {
            made.headers().add(header.name(), header.value().getBytes(StandardCharsets.UTF_8));
        }
        return made;
    }

    private void send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        throwFailure();
        Producer<byte[], byte[]> open = opened();
        if (!inTransaction) {
            open.beginTransaction();
            inTransaction = true;
            transactionBegan = System.nanoTime();
        }
        // The callback looks at the result; the commit waits for it.
        Future<RecordMetadata> _ = open.send(record, callback);
    }

    private void onSent(@Nullable RecordMetadata metadata, @Nullable Exception e) {
        if (e != null) {
            failure.compareAndSet(null, e);
        }
    }

    @Override
    public void commit() throws SinkException {
        guarded(() -> {
            throwFailure();
            if (inTransaction) {
                opened().commitTransaction();
                inTransaction = false;
                metrics.committed();
            }
            return true;
        });
    }

    @Override
    public void abort() throws SinkException {
        guarded(() -> {
            if (inTransaction) {
                inTransaction = false;
                metrics.aborted();
                opened().abortTransaction();
                deadLetters.load(clients);
            }
            return true;
        });
    }

    private Producer<byte[], byte[]> opened() {
        if (producer == null) {
            throw new IllegalStateException("the sink is not open");
        }
        return producer;
    }

    private void throwFailure() {
        Exception e = failure.get();
        if (e != null) {
            throw e instanceof KafkaException kafka ? kafka : new KafkaException(e);
        }
    }

    /** Tells apart what Kafka's failures mean for this connector. */
    private <T> T guarded(Callable<T> action) throws SinkException {
        try {
            return action.call();
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new SinkException.Lost("interrupted", e);
        } catch (ExecutionException e) {
            throw failed(e.getCause() instanceof Exception cause ? cause : e);
        } catch (Exception e) {
            throw failed(e);
        }
    }

    /**
     * A producer that was fenced off and one whose transaction timed out fail alike at first. While
     * its time is not over, it was fenced off. Later the abort tells them apart; asked earlier it
     * may not: it can meet the takeover half done and pass for a success, and whoever then tried
     * again would take the topic back.
     */
    private SinkException failed(Exception e) {
        Exception first = failure.get() == null ? e : failure.get();
        if (first instanceof ProducerFencedException
                || (isOfAnOldEpoch(first) && inTransaction && !mayHaveTimedOut())) {
            return fenced(first);
        }
        if (inTransaction) {
            inTransaction = false;
            metrics.aborted();
            try {
                opened().abortTransaction();
            } catch (ProducerFencedException fence) {
                return fenced(fence);
            } catch (RuntimeException _) {
                // The broker aborts it when its time is over, or when the id is taken again.
                return lost(first);
            }
        }
        return lost(first);
    }

    private static boolean isOfAnOldEpoch(@Nullable Throwable e) {
        return e != null
                && (e instanceof InvalidProducerEpochException || isOfAnOldEpoch(e.getCause()));
    }

    private boolean mayHaveTimedOut() {
        return System.nanoTime() - transactionBegan >= clients.transactionTimeout().toNanos();
    }

    private static SinkException lost(Exception e) {
        String message = e.getMessage() == null ? "" : ": " + e.getMessage();
        return new SinkException.Lost(e.getClass().getSimpleName() + message, e);
    }

    private SinkException fenced(Exception e) {
        return new SinkException.Fenced(
                "another connector has taken over topic %s; this one writes no more"
                        .formatted(settings.name()),
                e);
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> open = producer;
        producer = null;
        inTransaction = false;
        if (open != null) {
            try {
                open.close(CLOSE);
            } catch (KafkaException e) {
                // Interrupted or in trouble: its transaction ends at the broker either way.
                LOG.debug("the producer did not close well", e);
            }
        }
    }
}
