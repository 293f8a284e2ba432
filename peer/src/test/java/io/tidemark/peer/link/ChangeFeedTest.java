package io.tidemark.peer.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.peer.TestObjects;
import io.tidemark.peer.TestPartitions;
import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangePage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangeFeedTest {
    private final TestPartitions partitions = new TestPartitions(1, "a");
    private final PartitionView view = partitions.view(0);
    private long now = Long.MAX_VALUE - 1_000; // System.nanoTime may overflow.
    private final ChangeFeed feed = new ChangeFeed(view, new DirectRead(), () -> now);

    @BeforeEach
    void twoChanges() {
        partitions.change(0, TestObjects.change(1, 0, "/a", 10));
        partitions.change(0, TestObjects.change(2, 0, "/a", 10));
    }

    private Optional<PushedChanges> next() {
        return feed.next(view.state());
    }

    @Test
    void pushesNothingWithoutASubscription() {
        assertThat(next()).isEmpty();
    }

    @Test
    void pushesEachChangeOnce() {
        feed.follow(1, 1);
        PushedChanges pushed = next().orElseThrow();
        assertThat(pushed.afterRevision()).isEqualTo(1);
        assertThat(pushed.page().throughRevision()).isEqualTo(2);
        assertThat(pushed.page().changes()).hasSize(1);
        assertThat(next()).isEmpty();
        partitions.change(0, TestObjects.change(5, 0, "/a", 10));
        assertThat(next().orElseThrow().afterRevision()).isEqualTo(2);
    }

    @Test
    void pollingAgainDoesNotRepeatPushes() {
        feed.follow(1, 1);
        assertThat(next()).isPresent();
        feed.follow(1, 0);
        assertThat(next()).isEmpty();
    }

    @Test
    void subscriptionExpiresWithoutPolls() {
        feed.follow(1, 1);
        now += ChangeFeed.LEASE.toNanos() + 1;
        assertThat(next()).isEmpty();
        feed.follow(1, 1);
        assertThat(next()).isPresent();
    }

    @Test
    void newEpochEndsTheSubscription() {
        feed.follow(1, 1);
        PartitionState newer = new PartitionState(true, 2, 1, 0, 9, 9, 0, 9, 0, "");
        assertThat(feed.next(newer)).isEmpty();
        assertThat(next()).isEmpty(); // The subscription has ended.
        assertThat(feed.next(PartitionState.EMPTY)).isEmpty();
    }

    @Test
    void doesNotPushALargeChange() {
        feed.follow(1, 2);
        partitions.change(0, TestObjects.change(3, 0, "/a", 2 << 20));
        assertThat(next()).isEmpty();
        partitions.change(0, TestObjects.change(4, 0, "/a", 10));
        assertThat(next()).isEmpty();
        feed.follow(1, 3);
        assertThat(next().orElseThrow().page().changes()).hasSize(1);
    }

    @Test
    void slowReadDoesNotDelayTheHeartbeat() {
        CountDownLatch disk = new CountDownLatch(1);
        ChangeFeed limited = new ChangeFeed(view, TimedRead.IN_A_THREAD, () -> now);
        partitions.stallChanges(0, disk);
        limited.follow(1, 1);

        assertThat(limited.next(view.state())).isEmpty();

        disk.countDown();
        await().until(() -> {
            limited.follow(1, 1);
            return limited.next(view.state()).isPresent();
        });
    }

    @Test
    void pushesRecentChangesWithoutARead() {
        ChangePage page = new ChangePage(List.of(TestObjects.change(2, 0, "/a", 10)), 2);
        partitions.stallChanges(0, new CountDownLatch(1));
        partitions.keepRecent(0, page);
        feed.follow(1, 1);
        assertThat(next().orElseThrow().page()).isEqualTo(page);
    }

    @Test
    void pushesWholeRevisionsOnly() {
        feed.follow(1, 2);
        for (int index = 0; index < 1_500; index++) {
            partitions.change(0, TestObjects.change(3 + index / 800, index % 800, "/a", 1));
        }
        ChangePage page = next().orElseThrow().page();
        assertThat(page.throughRevision()).isEqualTo(3);
        assertThat(page.changes()).hasSize(800);
        assertThat(next().orElseThrow().page().changes()).hasSize(700);
    }

    @Test
    void doesNotPushARevisionLargerThanAPage() {
        feed.follow(1, 2);
        for (int index = 0; index < 2_000; index++) {
            partitions.change(0, TestObjects.change(3, index, "/a", 1));
        }
        assertThat(next()).isEmpty();
    }
}
