package io.tidemark.peer.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ReadRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A link step by step, without a connection. */
class PeerLinkTest {
    private static final PartitionState READY =
            new PartitionState(true, 1, 1, 0, 10, 10, 0, 10, 0, "");

    private long now = Long.MAX_VALUE - 1_000; // System.nanoTime may overflow.
    private final PeerLink link = new PeerLink(new NoAnswers(), new AnswerBudget(1_000), () -> now);

    private static final class NoAnswers implements PeerClient {
        @Override
        public String name() {
            return "other:1";
        }

        @Override
        public <T> WireAnswer<T> ask(int partition, ReadRequest<T> request, long maxBytes)
                throws IOException {
            throw new IOException("no answer");
        }
    }

    private static final class Connection implements StateConnection {
        private boolean ended;

        @Override
        public int version() {
            return 6;
        }

        @Override
        public void end() {
            ended = true;
        }
    }

    private Connection connect() {
        Connection connection = new Connection();
        link.connected(connection);
        return connection;
    }

    private static StateFrame frame(boolean leaving) {
        return new StateFrame(leaving, Map.of(0, READY), Map.of());
    }

    private void wait(Duration duration) {
        now += duration.toNanos();
    }

    @Test
    void showsStatesUntilTheConnectionFails() {
        List<PartitionState> shown = new ArrayList<>();
        var unused = link.copy(0).onChange(() -> shown.add(link.copy(0).state()));
        Connection connection = connect();
        link.received(connection, frame(false));
        assertThat(link.canServe(0, 1)).isTrue();
        assertThat(link.canServe(0, 2)).isFalse();
        link.failed(new IOException("reset"));
        assertThat(link.canServe(0, 1)).isFalse();
        assertThat(connection.ended).isTrue();
        assertThat(shown).containsExactly(READY, PartitionState.EMPTY);
        assertThat(link.connection()).isEqualTo(new PeerConnection(0, "reset", false));
    }

    @Test
    void ignoresFramesOfAnEarlierConnection() {
        Connection first = connect();
        link.failed(new IOException("reset"));
        Connection second = connect();
        link.received(first, frame(false));
        assertThat(link.canServe(0, 1)).isFalse();
        assertThat(link.isOpen(first)).isFalse();
        link.received(second, frame(false));
        assertThat(link.canServe(0, 1)).isTrue();
    }

    @Test
    void dropsASilentConnection() {
        Connection connection = connect();
        link.received(connection, frame(false));
        wait(PeerLink.DEGRADED_AFTER.plusNanos(1));
        link.checkAlive();
        assertThat(link.copy(0).isDegraded()).isTrue();
        assertThat(link.copy(0).state()).isEqualTo(READY);
        wait(PeerLink.FRAME_TIMEOUT);
        link.checkAlive();
        assertThat(connection.ended).isTrue();
        assertThat(link.copy(0).state()).isEqualTo(PartitionState.EMPTY);
    }

    @Test
    void readsALeavingNodeLast() {
        link.received(connect(), frame(true));
        assertThat(link.copy(0).isDegraded()).isTrue();
        assertThat(link.copy(0).state()).isEqualTo(READY);
        link.failed(new IOException("gone"));
        link.received(connect(), frame(false));
        assertThat(link.copy(0).isDegraded()).isFalse();
    }

    @Test
    void retriesLessOftenWhileConnectionsFail() {
        Duration first = link.untilRetry(0);
        Duration last = first;
        for (int i = 0; i < 10; i++) {
            last = link.untilRetry(0);
        }
        assertThat(last).isGreaterThan(first).isLessThanOrEqualTo(Duration.ofSeconds(1));
        connect();
        assertThat(link.untilRetry(0)).isEqualTo(first);
    }

    @Test
    void reportsNodesWithoutACommonVersion() {
        link.failed(new NoCommonVersionException("7 8", "5 6"));
        assertThat(link.connection().incompatible()).isTrue();
        connect();
        assertThat(link.connection()).isEqualTo(new PeerConnection(6, "", false));
    }

    @Test
    void endsConnectionsAfterItsEnd() {
        link.close();
        assertThat(connect().ended).isTrue();
        assertThat(link.isClosed()).isTrue();
    }
}
