package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadablePage.Unreadable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A replica that is lost during a read does not mean another history. */
class ClusterViewTest {
    private static final ReadPoint POINT = new ReadPoint(PartitionSet.one(0), 1, 10, 0);
    private static final PartitionState HERE = state(1);

    /** Longer than a machine under load takes. */
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void retriesWhenAReplicaIsLostDuringARead() throws Exception {
        assertThat(read(LONG, PartitionState.EMPTY, PartitionState.EMPTY, HERE)).isEmpty();
    }

    @Test
    void refusesWhenNoReplicaComesBack() {
        assertThatThrownBy(() -> read(Duration.ofMillis(200), PartitionState.EMPTY))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(503));
    }

    @Test
    void reportsAReplacedHistory() {
        assertThatThrownBy(() -> read(LONG, state(2)))
                .isInstanceOfSatisfying(
                        RevisionExpiredException.class,
                        expired ->
                                assertThat(expired.replacement().orElseThrow())
                                        .hasMessageContaining("history (epoch 2) has begun"));
    }

    /** The history that has begun has not reached the revision of the one before. */
    @Test
    void reportsAReplacedHistoryWhoseReplicasRefuse() {
        for (ReadOutcome<?> refusal :
                List.of(
                        new ReadOutcome.TooNew<>(10),
                        new ReadOutcome.ReplicaUnavailable<>("restoring"))) {
            LonePartition partition =
                    new LonePartition() {
                        @Override
                        public PartitionState state() {
                            return ClusterViewTest.state(2);
                        }

                        @Override
                        protected ReadOutcome<?> answer(ReadRequest<?> request) {
                            return refusal;
                        }
                    };
            ClusterView view = new ClusterView(partition, Duration.ZERO, FanOut.SEQUENTIAL);
            assertThatThrownBy(() -> view.get(Bytes.utf8("/registry/pods/a/b"), POINT))
                    .isInstanceOf(RevisionExpiredException.class);
        }
    }

    /** The partition here fails every read of changes. */
    @Test
    void skipsPartitionsWithoutChanges() throws Exception {
        PartitionState changedAt10 = new PartitionState(true, 1, 1, 5, 20, 10, 0, 0, 0, "");
        ClusterView view =
                new ClusterView(
                        new LosablePartition(changedAt10), Duration.ofMillis(1), FanOut.PARALLEL);
        assertThat(changes(view, 10, 20)).isEqualTo(new ChangePage(List.of(), 20));
        for (long[] asked : new long[][] {{9, 20}, {4, 20}, {10, 21}}) {
            assertThatThrownBy(() -> changes(view, asked[0], asked[1]))
                    .isInstanceOf(StatusException.class);
        }
    }

    /** The partition here fails every read of changes, except for what it has in memory. */
    @Test
    void takesChangesFromMemoryWithoutARead() throws Exception {
        PartitionState changed = new PartitionState(true, 1, 1, 5, 20, 20, 0, 0, 0, "");
        LosablePartition partition =
                new LosablePartition(changed) {
                    @Override
                    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest asked) {
                        return asked.afterRevision() < 10
                                ? Optional.empty()
                                : Optional.of(new ChangePage(List.of(), asked.throughRevision()));
                    }
                };
        ClusterView view = new ClusterView(partition, Duration.ofMillis(1), FanOut.PARALLEL);
        assertThat(changes(view, 10, 20)).isEqualTo(new ChangePage(List.of(), 20));
        assertThat(view.changePagesFromMemory()).isEqualTo(1);
        assertThat(view.changePagesRead()).isZero();
        assertThatThrownBy(() -> changes(view, 9, 20)).isInstanceOf(StatusException.class);
        assertThat(view.changePagesRead()).isEqualTo(1);
    }

    /** Each partition answers only after both have been asked. */
    @Test
    void asksAllPartitionsForUnreadableKeysAtOnce() throws Exception {
        CyclicBarrier bothAreAsked = new CyclicBarrier(2);
        PartitionState unreadable = new PartitionState(true, 1, 1, 5, 20, 20, 0, 0, 1, "");
        LosablePartition partition =
                new LosablePartition(unreadable) {
                    @Override
                    protected ReadOutcome<?> answer(ReadRequest<?> request) {
                        try {
                            bothAreAsked.await(1, TimeUnit.MINUTES);
                        } catch (Exception e) {
                            throw new IllegalStateException("asked alone", e);
                        }
                        return new ReadOutcome.Served<>(
                                new UnreadablePage(
                                        List.of(new Unreadable(Bytes.utf8("/a"), "broken")),
                                        false));
                    }
                };
        ClusterView view = new ClusterView(partition, LONG, FanOut.PARALLEL);
        assertThat(view.unreadable(new PartitionSet(0, 2), KeyScope.prefix(Bytes.EMPTY), 9).keys())
                .hasSize(2);
    }

    private static ChangePage changes(ClusterView view, long after, long through)
            throws InterruptedException {
        return view.changes(PartitionSet.one(0), Bytes.EMPTY, 1, after, new PageLimits(10, 1_000))
                .next(through);
    }

    private static PartitionState state(long epoch) {
        return new PartitionState(true, epoch, 1, 10, 10, 10, 0, 0, 0, "");
    }

    /** Reads a key; the partition's states follow one another, the last one stays. */
    private static Optional<StoredObject> read(Duration patience, PartitionState... states)
            throws InterruptedException {
        return new ClusterView(new LosablePartition(states), patience, FanOut.PARALLEL)
                .get(Bytes.utf8("/registry/pods/a/b"), POINT);
    }

    private static class LosablePartition extends LonePartition {
        private final ArrayDeque<PartitionState> states;

        LosablePartition(PartitionState... states) {
            this.states = new ArrayDeque<>(List.of(states));
        }

        @Override
        public PartitionState state() {
            return states.size() > 1 ? states.remove() : states.element();
        }

        @Override
        protected ReadOutcome<?> answer(ReadRequest<?> request) {
            return request instanceof GetRequest
                    ? new ReadOutcome.Served<>(Optional.empty())
                    : super.answer(request);
        }
    }
}
