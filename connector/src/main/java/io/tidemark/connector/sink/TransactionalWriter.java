package io.tidemark.connector.sink;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.metrics.ConnectorMetrics;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transactional producer with one transaction at a time, which the first record begins;
 * classifies its failures. Single-threaded. Unusable after a failure.
 */
final class TransactionalWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalWriter.class);
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final Producer<byte[], byte[]> producer;
    private final TimeSource time;
    private final Duration timeout;
    private final String topic;
    private final ConnectorMetrics metrics;

    /** First failure of a send; the producer's callbacks write it. */
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private boolean inTransaction;

    /** By {@link TimeSource#nanoTime}. */
    private long transactionBegan;

    /** The same by {@link TimeSource#currentTimeMillis}. */
    private long transactionBeganMillis;

    /**
     * @param topic that is written
     */
    TransactionalWriter(
            TopicClients clients, String transactionalId, String topic, ConnectorMetrics metrics) {
        this.producer = clients.producer(transactionalId);
        this.time = clients.time();
        this.timeout = clients.transactionTimeout();
        this.topic = topic;
        this.metrics = metrics;
    }

    /**
     * How many partitions the topic has, as of some seconds ago; does not wait once it is known.
     */
    int partitions() {
        return producer.partitionsFor(topic).size();
    }

    /** Fences the transactional id's previous producer; its open transaction is aborted. */
    void fenceOthers() {
        producer.initTransactions();
    }

    boolean inTransaction() {
        return inTransaction;
    }

    /** Blocks while too much is in flight. */
    void send(ProducerRecord<byte[], byte[]> record) {
        send(record, () -> {});
    }

    /**
     * @param acknowledged runs in a thread of the producer
     */
    void send(ProducerRecord<byte[], byte[]> record, Runnable acknowledged) {
        throwFailure();
        if (!inTransaction) {
            producer.beginTransaction();
            inTransaction = true;
            transactionBegan = time.nanoTime();
            transactionBeganMillis = time.currentTimeMillis();
        }
        // The callback handles the result; the commit waits for it.
        Future<RecordMetadata> _ =
                producer.send(
                        record,
                        (_, e) -> {
                            if (e == null) {
                                acknowledged.run();
                            } else {
                                failure.compareAndSet(null, e);
                            }
                        });
    }

    /** Waits until everything sent is acknowledged. */
    void flush() {
        producer.flush();
        throwFailure();
    }

    /** Commits the transaction, if there is one. */
    void commit() {
        throwFailure();
        if (inTransaction) {
            producer.commitTransaction();
            inTransaction = false;
            metrics.committed();
        }
    }

    /**
     * Aborts the transaction.
     *
     * @return whether there was one
     */
    boolean abort() {
        if (!inTransaction) {
            return false;
        }
        inTransaction = false;
        metrics.aborted();
        producer.abortTransaction();
        return true;
    }

    private void throwFailure() {
        Exception e = failure.get();
        if (e != null) {
            throw e instanceof KafkaException kafka ? kafka : new KafkaException(e);
        }
    }

    /**
     * Classifies a failure. A fenced producer and one whose transaction timed out fail alike at
     * first. Before the timeout it was fenced. After it, the abort tells the two apart; an earlier
     * abort may not: it can meet a half-done takeover and succeed, and a retry would then take the
     * topic back.
     */
    SinkException explain(Exception e) {
        Exception first = failure.get() == null ? e : failure.get();
        if (first instanceof ProducerFencedException
                || (isOfAnOldEpoch(first) && inTransaction && !mayHaveTimedOut())) {
            return fenced(first);
        }
        try {
            abort();
        } catch (ProducerFencedException fence) {
            return fenced(fence);
        } catch (RuntimeException _) {
            // The broker aborts it at the timeout, or when the id is initialized again.
            return SinkException.lost(first);
        }
        return SinkException.lost(first);
    }

    private static boolean isOfAnOldEpoch(@Nullable Throwable e) {
        return e != null
                && (e instanceof InvalidProducerEpochException || isOfAnOldEpoch(e.getCause()));
    }

    /**
     * The broker measures by the wall clock, and only that one continues in a suspended machine.
     */
    private boolean mayHaveTimedOut() {
        return time.nanoTime() - transactionBegan >= timeout.toNanos()
                || time.currentTimeMillis() - transactionBeganMillis >= timeout.toMillis();
    }

    private SinkException fenced(Exception e) {
        return new SinkException.Fenced(
                "another producer has fenced this one of topic %s".formatted(topic), e);
    }

    /** Bounded in time; uncommitted writes will be aborted. */
    @Override
    public void close() {
        inTransaction = false;
        try {
            producer.close(CLOSE);
        } catch (KafkaException e) {
            // Interrupted or in trouble: its transaction ends at the broker either way.
            LOG.debug("closing the producer failed; the broker aborts its transaction", e);
        }
    }
}
