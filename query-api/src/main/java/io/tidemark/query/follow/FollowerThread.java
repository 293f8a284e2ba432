package io.tidemark.query.follow;

import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats the steps of a follower whenever one of its partitions has advanced, on one thread of its
 * own, and at least each second, as a partition may move between replicas.
 */
public final class FollowerThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerThread.class);
    private static final long POLL_MILLIS = 1000;
    private static final long CLOSE_MILLIS = 2000;

    private final PartitionDirectory directory;
    private final DirectoryFollower follower;
    private final Runnable step;
    private final BlockingQueue<Boolean> wakeUps = new ArrayBlockingQueue<>(1);
    private final Thread thread;
    private volatile boolean closed;

    // Only used by the thread:
    private final Map<Integer, Subscribed> subscribed = new HashMap<>();

    private record Subscribed(PartitionView view, Subscription subscription) {}

    /**
     * @param name of the thread
     * @param step calls {@link DirectoryFollower#step} of the follower
     */
    public FollowerThread(
            String name, PartitionDirectory directory, DirectoryFollower follower, Runnable step) {
        this.directory = directory;
        this.follower = follower;
        this.step = step;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    /** Starts the thread, once; returns at once. */
    public void start() {
        thread.start();
    }

    /** Ends the thread, and waits for a step that is under way for at most two seconds. */
    @Override
    public void close() {
        closed = true;
        wake();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void wake() {
        boolean _ = wakeUps.offer(true); // A queued one is enough.
    }

    private void run() {
        try {
            while (!closed) {
                turn();
                Boolean _ = wakeUps.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            subscribed.values().forEach(each -> each.subscription().close());
        }
    }

    /** A failure must not end the thread: what it follows would stay as it is for ever. */
    private void turn() {
        try {
            // Before the step: an advance after it wakes the thread again.
            subscribe(follower.partitions());
            step.run();
        } catch (RuntimeException e) {
            LOG.error("{} failed; trying again", thread.getName(), e);
        }
    }

    private void subscribe(List<Integer> partitions) {
        for (int partition : partitions) {
            PartitionView view = directory.view(partition);
            @Nullable Subscribed before = subscribed.get(partition);
            if (before == null || before.view() != view) {
                subscribed.put(partition, new Subscribed(view, view.onChange(this::wake)));
                if (before != null) {
                    before.subscription().close();
                }
            }
        }
    }
}
