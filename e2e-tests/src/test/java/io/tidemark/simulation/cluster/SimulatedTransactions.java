package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.FakeProducer;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connector's transactions on the fake topic, through one producer after the other. */
final class SimulatedTransactions {
    private static final String TRANSACTIONAL_ID = "tidemark";
    private static final int MARKER_WAIT_TRIES = 150;

    /** How long the broker may be away before a producer gives up on its sends. */
    private static final long DELIVERY_TIMEOUT_MILLIS = 3_000;

    private final Scheduler scheduler;
    private final FakeTopic topic;
    private final EpochHistories epochs;
    private final CommitGaps commits;
    private final PartitionAssigner assigner;
    private Consumer<FeedEvent> failed = _ -> {};
    private @Nullable FakeProducer producer;
    private long unreachableSince = -1;

    SimulatedTransactions(
            Scheduler scheduler, FakeTopic topic, EpochHistories epochs, CommitGaps commits) {
        this.scheduler = scheduler;
        this.topic = topic;
        this.epochs = epochs;
        this.commits = commits;
        this.assigner = new PartitionAssigner(topic.partitions().size());
    }

    void onFailure(Consumer<FeedEvent> listener) {
        failed = listener;
    }

    void fail(FeedEvent event) {
        failed.accept(event);
    }

    /** Fences other producers, and runs {@code opened} then. */
    void open(Runnable opened) {
        FakeProducer[] created = new FakeProducer[1];
        created[0] =
                topic.initTransactions(
                        TRANSACTIONAL_ID,
                        () -> {
                            if (!created[0].isFenced() && !created[0].isCrashed()) {
                                opened.run();
                            }
                        });
        producer = created[0];
        unreachableSince = -1;
    }

    /** False when it is closed, or about to learn that it has lost the topic. */
    boolean isOpen() {
        return producer != null;
    }

    boolean isFenced() {
        return current().isFenced();
    }

    boolean hasOpenTransaction() {
        return current().hasOpenTransaction();
    }

    private FakeProducer current() {
        FakeProducer current = producer;
        if (current == null) {
            throw new IllegalStateException("not open");
        }
        return current;
    }

    /**
     * Runs {@code reading} when no transaction is open any more: until then some committed records
     * are not visible.
     */
    void whenMarkersWritten(Runnable reading) {
        whenMarkersWritten(reading, MARKER_WAIT_TRIES);
    }

    private void whenMarkersWritten(Runnable reading, int tries) {
        boolean settled =
                topic.partitions().stream()
                        .allMatch(log -> log.lastStableOffset() == log.endOffset());
        if (settled && !topic.hasUnwrittenMarkers()) {
            reading.run();
        } else if (tries == 0) {
            fail(new FeedEvent.SinkLost("a transaction stays open"));
        } else {
            var unused =
                    scheduler.after(20, "settle", () -> whenMarkersWritten(reading, tries - 1));
        }
    }

    /**
     * Detects what a producer detects by itself: that it is fenced, or that its sends do not
     * arrive.
     */
    void check() {
        FakeProducer current = producer;
        if (current == null || current.isCrashed()) {
            return;
        }
        if (current.isFenced()) {
            commits.aborted();
            producer = null;
            fail(
                    current.isTimedOut()
                            ? new FeedEvent.SinkLost("the transaction timed out")
                            : new FeedEvent.Fenced("another producer has taken over"));
            return;
        }
        long now = scheduler.nowMillis();
        unreachableSince = topic.isReachable() ? -1 : unreachableSince < 0 ? now : unreachableSince;
        if (unreachableSince >= 0 && now - unreachableSince > DELIVERY_TIMEOUT_MILLIS) {
            close();
            fail(new FeedEvent.SinkLost("not delivered in time"));
        }
    }

    /** Sends a change to its partition. */
    void send(Change change) {
        epochs.recordSent(change.epoch(), change.revision());
        Bytes key =
                switch (change) {
                    case Change.Put put -> put.key();
                    case Change.Delete delete -> delete.key();
                    case Change.TideMark mark -> ChangeCodec.markKey(mark.kind());
                };
        current().send(assigner.partitionOf(key), ChangeCodec.encode(change));
    }

    /** Sends a mark to every partition. */
    void mark(Change.TideMark mark) {
        epochs.recordSent(mark.epoch(), mark.revision());
        TopicRecord record = ChangeCodec.encode(mark);
        for (int p = 0; p < assigner.partitions(); p++) {
            current().send(p, record);
        }
    }

    void commit(Runnable done) {
        commit(current(), done);
    }

    private void commit(FakeProducer of, Runnable done) {
        boolean something = of.hasOpenTransaction();
        of.commit(() -> {
            if (something) {
                commits.committed();
            }
            done.run();
        });
    }

    void abort() {
        commits.aborted();
        current().abort();
    }

    /** Loses what is not committed. No effect when it is closed. */
    void close() {
        FakeProducer last = producer;
        producer = null;
        if (last != null) {
            commits.aborted();
            last.crash();
        }
    }

    /** Ends without notice: nothing is reported any more. */
    void crash() {
        failed = _ -> {};
        close();
    }

    /** Ends with a commit. */
    void commitAndClose() {
        failed = _ -> {};
        FakeProducer last = producer;
        producer = null;
        if (last != null) {
            commit(last, last::crash);
        }
    }
}
