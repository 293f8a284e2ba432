package io.tidemark.simulation.kafka;

import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A transactional, idempotent producer. Sends and markers of one partition arrive in order. Once it
 * is fenced, the broker refuses everything that arrives from it. A crash loses the end of what was
 * in flight; a commit that was on its way may still arrive, until another takes the id.
 */
public final class FakeProducer {
    private final Scheduler scheduler;
    private final FakeTopic topic;
    private final String transactionalId;
    private final PartitionQueue[] lanes;
    private @Nullable Transaction transaction;
    private boolean fenced;
    private boolean timedOut;
    private boolean crashed;

    /** Whether a commit that was on its way when the process died arrives. */
    private boolean commitArrives = true;

    public FakeProducer(Scheduler scheduler, FakeTopic topic, String transactionalId) {
        this.scheduler = scheduler;
        this.topic = topic;
        this.transactionalId = transactionalId;
        this.lanes = new PartitionQueue[topic.partitions().size()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new PartitionQueue(topic.partitions().get(i));
        }
    }

    /** True once it cannot write any more: another took the id, or its transaction timed out. */
    public boolean isFenced() {
        return fenced && (topic.fences() || timedOut);
    }

    /** True when it is fenced because its transaction took too long, not by another. */
    public boolean isTimedOut() {
        return timedOut;
    }

    /** Whether another producer has taken its transactional id. */
    public boolean isReplaced() {
        return fenced && topic.fences() && topic.isOwnedByOther(transactionalId, this);
    }

    public boolean isCrashed() {
        return crashed;
    }

    /** Whether it has uncommitted writes. */
    public boolean hasOpenTransaction() {
        return transaction != null;
    }

    /** The broker's answer to a record. */
    public interface Answer {
        /** It is in the log. */
        void appended(long offset);

        /** It was refused, since the producer is fenced. */
        void refused();

        /** Ignores the answer. */
        Answer NONE =
                new Answer() {
                    @Override
                    public void appended(long offset) {}

                    @Override
                    public void refused() {}
                };
    }

    /** Sends one record within the open transaction, beginning one if there is none. */
    public void send(int partition, TopicRecord content) {
        send(partition, content, Answer.NONE);
    }

    /** The same, with an answer. */
    public void send(int partition, TopicRecord content, Answer answer) {
        if (crashed) {
            return;
        }
        Transaction current = isFenced() ? null : openTransaction();
        lanes[partition].enqueue(() -> {
            if (current == null || isFenced()) {
                scheduler.count(CoverageEvent.ZOMBIE_WRITES_REFUSED);
                answer.refused();
                return;
            }
            answer.appended(lanes[partition].log.append(content, current, topic.clock().millis()));
        });
    }

    private Transaction openTransaction() {
        if (transaction == null) {
            Transaction opened = new Transaction(lanes.length);
            transaction = opened;
            var unused =
                    scheduler.after(
                            topic.transactionTimeoutMillis(), "txn timeout", () -> expire(opened));
        }
        return transaction;
    }

    /** The coordinator aborts a transaction that stays open for too long, and fences. */
    private void expire(Transaction opened) {
        if (transaction == opened && !fenced) {
            topic.releaseTransactionalId(transactionalId, this);
            timedOut = true;
            scheduler.count(CoverageEvent.TRANSACTIONS_TIMED_OUT);
            fence();
        }
    }

    /**
     * Commits the open transaction, if any; {@code committed} runs once it cannot be undone any
     * more.
     */
    public void commit(Runnable committed) {
        if (crashed || isFenced()) {
            return;
        }
        if (transaction == null) {
            committed.run();
            return;
        }
        Transaction ending = transaction;
        if (hasNothingInFlight()) {
            deliverCommit(ending, committed);
        } else {
            flush(() -> deliverCommit(ending, committed));
        }
    }

    private boolean hasNothingInFlight() {
        return Arrays.stream(lanes).allMatch(lane -> lane.waiting.isEmpty());
    }

    /** The request to the coordinator, which may arrive after its sender has given up. */
    private void deliverCommit(Transaction ending, Runnable committed) {
        var unused =
                scheduler.after(
                        scheduler.oneIn(60) ? scheduler.between(20, 400) : scheduler.between(0, 3),
                        "commit",
                        () -> {
                            if (topic.isReachable()) {
                                commitArrives(ending, committed);
                            } else {
                                var _ =
                                        scheduler.after(
                                                scheduler.between(1, 50),
                                                "commit again",
                                                () -> deliverCommit(ending, committed));
                            }
                        });
    }

    private void commitArrives(Transaction ending, Runnable committed) {
        if (isFenced() || transaction != ending || !commitArrives) {
            return;
        }
        if (crashed) {
            scheduler.count(CoverageEvent.COMMITS_ARRIVED_LATE);
        }
        transaction = null;
        end(ending, Transaction.TransactionOutcome.COMMITTED);
        committed.run();
    }

    /**
     * Aborts the open transaction: uncommitted readers have seen it, committed readers never will.
     * After a transaction that timed out the producer takes its id again, unless another has it.
     */
    public void abort() {
        if (crashed) {
            return;
        }
        if (timedOut && !isReplaced()) {
            topic.takeBack(transactionalId, this);
            timedOut = false;
            fenced = false;
        }
        if (!fenced && transaction != null) {
            Transaction ending = transaction;
            transaction = null;
            end(ending, Transaction.TransactionOutcome.ABORTED);
        }
    }

    /** Runs {@code done} when everything sent before has arrived. */
    public void flush(Runnable done) {
        int[] open = {lanes.length};
        for (PartitionQueue lane : lanes) {
            lane.enqueue(() -> {
                open[0]--;
                if (open[0] == 0) {
                    done.run();
                }
            });
        }
    }

    /** It sends nothing more; what was sent arrives. */
    public void close() {
        crashed = true;
    }

    /** The process dies: of what was in flight, the first part still arrives. */
    public void crash() {
        crashed = true;
        commitArrives = scheduler.oneIn(2);
        for (PartitionQueue lane : lanes) {
            lane.loseTail();
        }
    }

    /** Another producer took the id: aborts the open transaction. */
    public void fence() {
        if (!crashed && !timedOut) {
            scheduler.count(CoverageEvent.PRODUCERS_FENCED);
        }
        fenced = true;
        Transaction ending = transaction;
        transaction = null;
        if (ending != null) {
            end(ending, Transaction.TransactionOutcome.ABORTED);
        }
    }

    private void end(Transaction ending, Transaction.TransactionOutcome fate) {
        for (PartitionQueue lane : lanes) {
            topic.markersPending(transactionalId, 1);
            lane.enqueueMarker(() -> {
                lane.log.appendMarker(ending, fate);
                topic.markersPending(transactionalId, -1);
            });
        }
    }

    /** The channel to one partition: first in, first out, with delays. */
    private final class PartitionQueue {
        private final FakePartition log;
        private final Deque<QueuedSend> waiting = new ArrayDeque<>();
        private boolean moving;

        PartitionQueue(FakePartition log) {
            this.log = log;
        }

        private record QueuedSend(Runnable action, boolean marker) {}

        void enqueue(Runnable action) {
            waiting.addLast(new QueuedSend(action, false));
            move();
        }

        void enqueueMarker(Runnable action) {
            waiting.addLast(new QueuedSend(action, true));
            move();
        }

        private void move() {
            if (!moving && !waiting.isEmpty()) {
                moving = true;
                long delay =
                        scheduler.oneIn(60) ? scheduler.between(20, 400) : scheduler.between(0, 3);
                var unused = scheduler.after(delay, "append", this::arrive);
            }
        }

        private void arrive() {
            moving = false;
            if (waiting.isEmpty()) {
                return;
            }
            if (!topic.isReachable()) {
                moving = true;
                var unused = scheduler.after(50, "append again", this::arrive);
                return;
            }
            // One round trip carries a batch.
            for (int batch = scheduler.random().nextInt(1, 12); batch > 0; batch--) {
                QueuedSend next = waiting.pollFirst();
                if (next == null) {
                    break;
                }
                next.action().run();
            }
            move();
        }

        /** Markers are the coordinator's, which does not crash with its producer. */
        void loseTail() {
            int keep = scheduler.random().nextInt(waiting.size() + 1);
            int position = 0;
            for (var each = waiting.iterator(); each.hasNext(); position++) {
                if (!each.next().marker() && position >= keep) {
                    each.remove();
                }
            }
        }
    }
}
