package io.tidemark.peer.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.peer.TestObjects;
import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a reader gets of changes that another node has pushed. */
class RemoteReplicaTest {
    private static final ChangesRequest AFTER_10 =
            new ChangesRequest(Bytes.EMPTY, 10, 20, 100, 1_000_000);

    private final RemoteReplica replica =
            new RemoteReplica(
                    0, new NoNewChanges(), new AnswerBudget(1 << 20), () -> 0, () -> false);

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
