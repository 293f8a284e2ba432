package io.tidemark.query.follow;

import io.tidemark.view.PartitionDirectory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Takes the turns of a follower on one thread. */
public final class FollowerThread implements AutoCloseable {
    private static final long CLOSE_MILLIS = 2000;

    private final BlockingQueue<Boolean> wakeUps = new ArrayBlockingQueue<>(1);
    private final FollowerTurns turns;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param name of the thread
     * @param step calls {@link DirectoryFollower#step} of the follower
     */
    public FollowerThread(
            String name, PartitionDirectory directory, DirectoryFollower follower, Runnable step) {
        this.turns = new FollowerTurns(name, directory, follower, step, this::wake);
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
        try (turns) {
            while (!closed) {
                turns.turn();
                Boolean _ = wakeUps.poll(FollowerTurns.POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
