package io.tidemark.peer.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.peer.TestObjects;
import io.tidemark.peer.TestPartitions;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangesRequest;
import org.junit.jupiter.api.Test;

/** The frames for one other node, one by one. */
class StateFeedTest {
    private final TestPartitions partitions = new TestPartitions(2, "a");
    private int wakes;
    private long now;
    private long tick;
    private final StateFeed feed =
            new StateFeed(partitions, new DirectRead(), () -> now += tick, () -> wakes++);

    /** Reads through a revision, as the other node does. */
    private void read(int partition, long after, long through) {
        ChangesRequest request = new ChangesRequest(Bytes.EMPTY, after, through, 100, 1_000);
        PartitionView view = partitions.view(partition);
        feed.answered(partition, request, new WireAnswer<>(view.state(), view.read(request)));
    }

    @Test
    void sendsEachStateOnce() {
        partitions.become(0, 10);
        assertThat(feed.next().moved()).containsOnlyKeys(0, 1);
        assertThat(feed.next().moved()).isEmpty();
        partitions.become(1, 11);
        assertThat(feed.next().moved()).containsOnlyKeys(1);
    }

    @Test
    void wakesItsDriverOnceForSeveralChanges() {
        StateFrame unused = feed.next();
        partitions.become(0, 10);
        partitions.become(0, 11);
        partitions.become(1, 11);
        assertThat(wakes).isEqualTo(1);
        assertThat(feed.hasMoved()).isTrue();
        unused = feed.next();
        assertThat(feed.hasMoved()).isFalse();
        partitions.become(0, 12);
        assertThat(wakes).isEqualTo(2);
    }

    @Test
    void pushesChangesToANodeThatHasReadToTheEnd() {
        partitions.change(0, TestObjects.change(1, 0, "/a", 10));
        assertThat(feed.next().changes()).isEmpty();
        read(0, 0, 1);
        partitions.change(0, TestObjects.change(2, 0, "/a", 10));
        StateFrame frame = feed.next();
        assertThat(frame.changes()).containsOnlyKeys(0);
        assertThat(frame.changes().get(0).afterRevision()).isEqualTo(1);
        assertThat(frame.moved().get(0).watermark()).isEqualTo(2);
    }

    @Test
    void aFrameBeginsWithThePartitionsThatTheLastOneHadNoTimeFor() {
        for (int partition = 0; partition < 2; partition++) {
            partitions.change(partition, TestObjects.change(1, 0, "/a", 10));
            read(partition, 0, 1);
            partitions.change(partition, TestObjects.change(2, 0, "/a", 10));
        }
        tick = StateFeed.HEARTBEAT.toNanos() * 2 / 3;
        assertThat(feed.next().changes()).containsOnlyKeys(0);
        partitions.change(0, TestObjects.change(3, 0, "/a", 10));
        assertThat(feed.next().changes()).containsOnlyKeys(1);
        assertThat(feed.next().changes()).containsOnlyKeys(0);
    }

    @Test
    void saysThatItsNodeLeaves() {
        StateFrame unused = feed.next();
        feed.leave();
        assertThat(wakes).isEqualTo(1);
        assertThat(feed.next().leaving()).isTrue();
    }

    @Test
    void isNotWokenAfterItsEnd() {
        StateFrame unused = feed.next();
        feed.close();
        partitions.become(0, 10);
        assertThat(wakes).isZero();
    }
}
