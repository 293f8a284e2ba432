package io.tidemark.peer.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.peer.TestObjects;
import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a reader gets of changes that another node has pushed. */
class RemoteReplicaTest {
    private static final ChangesRequest AFTER_10 =
            new ChangesRequest(Bytes.EMPTY, 10, 20, 100, 1_000_000);

    private static final AnswerBudget AMPLE = new AnswerBudget(Long.MAX_VALUE);

    private final RemoteReplica replica = replica(new NoNewChanges(), AMPLE, AMPLE);

    /** Answers that nothing follows the requested revision: that begins a subscription. */
    private static final class NoNewChanges implements PeerClient {
        @Override
        public String name() {
            return "other:1";
        }

        @Override
        @SuppressWarnings("unchecked") // A request is typed by its answer.
        public <T> WireAnswer<T> ask(int partition, ReadRequest<T> request, long maxBytes) {
            long after = ((ChangesRequest) request).afterRevision();
            return new WireAnswer<>(
                    state(true, 1, 0),
                    new ReadOutcome.Served<>((T) new ChangePage(List.of(), after)));
        }
    }

    private static RemoteReplica replica(
            PeerClient client, AnswerBudget memory, AnswerBudget part) {
        return new RemoteReplica(0, client, memory, part, () -> 0, () -> false);
    }

    private static PartitionState state(boolean ready, long epoch, long floor) {
        return new PartitionState(ready, epoch, 1, floor, 20, 20, 0, 20, 0, "");
    }

    @BeforeEach
    void push() {
        replica.updateState(state(true, 1, 0));
        var unused = replica.ask(AFTER_10);
        replica.addPushed(
                1,
                new PushedChanges(
                        10, new ChangePage(List.of(TestObjects.change(12, 0, "/a", 10)), 20)));
    }

    /** Its first answer comes when it is released. */
    private static final class SlowNode implements PeerClient {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public String name() {
            return "slow:1";
        }

        @Override
        public <T> WireAnswer<T> ask(int partition, ReadRequest<T> request, long maxBytes)
                throws InterruptedException {
            asked.countDown();
            boolean _ = released.await(1, TimeUnit.MINUTES);
            return new WireAnswer<>(state(true, 1, 0), new ReadOutcome.TooNew<>(1));
        }
    }

    @Test
    void aSlowNodeLeavesMemoryForAnswersOfOthers() throws Exception {
        SlowNode slow = new SlowNode();
        AnswerBudget memory = new AnswerBudget(2 * AnswerSize.expected(AFTER_10));
        RemoteReplica ofSlow = replica(slow, memory, memory.half());
        Thread first = Thread.startVirtualThread(() -> ofSlow.ask(AFTER_10));
        slow.asked.await();

        Replica.Answer<ChangePage> refused = ofSlow.ask(AFTER_10);
        assertThat(refused.outcome()).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        assertThat(refused.asked()).isFalse();
        assertThat(replica(new NoNewChanges(), memory, memory.half()).ask(AFTER_10).outcome())
                .isInstanceOf(ReadOutcome.Served.class);
        slow.released.countDown();
        first.join();
        assertThat(memory.held()).isZero();
    }

    @Test
    void anInterruptedReaderSaysNothingAboutTheReplica() {
        RemoteReplica slow = replica(new SlowNode(), AMPLE, AMPLE);
        Thread.currentThread().interrupt();
        Replica.Answer<ChangePage> answer = slow.ask(AFTER_10);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer.outcome()).isInstanceOf(ReadOutcome.ReplicaUnavailable.class);
        assertThat(answer.asked()).isFalse();
    }

    @Test
    void anUnreachableNodeCountsAsAsked() {
        PeerClient unreachable =
                new PeerClient() {
                    @Override
                    public String name() {
                        return "unreachable:1";
                    }

                    @Override
                    public <T> WireAnswer<T> ask(
                            int partition, ReadRequest<T> request, long maxBytes)
                            throws IOException {
                        throw new IOException("no answer");
                    }
                };
        assertThat(replica(unreachable, AMPLE, AMPLE).ask(AFTER_10).asked()).isTrue();
    }

    @Test
    void readsWhatWasPushed() {
        replica.updateState(state(true, 1, 10));
        assertThat(replica.recentChanges(1, AFTER_10))
                .hasValueSatisfying(page -> assertThat(page.changes()).hasSize(1));
    }

    /** A change came late: the page does not have it, and the other replica would refuse. */
    @Test
    void readsNothingBelowTheFloor() {
        replica.updateState(state(true, 1, 11));
        assertThat(replica.recentChanges(1, AFTER_10)).isEmpty();
        replica.updateState(state(true, 1, 0));
        assertThat(replica.recentChanges(1, AFTER_10)).isEmpty();
    }

    @Test
    void forgetsWhatWasPushedBeforeTheReplicaWasNotReady() {
        replica.updateState(state(false, 1, 0));
        replica.updateState(state(true, 1, 0));
        assertThat(replica.recentChanges(1, AFTER_10)).isEmpty();
    }

    @Test
    void keepsWhatWasPushedJustBeforeItsState() {
        replica.addPushed(2, new PushedChanges(10, new ChangePage(List.of(), 20)));
        replica.updateState(state(true, 2, 0));
        assertThat(replica.recentChanges(2, AFTER_10)).isPresent();
        assertThat(replica.recentChanges(1, AFTER_10)).isEmpty();
    }
}
