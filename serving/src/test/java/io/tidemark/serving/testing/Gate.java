package io.tidemark.serving.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Stops a thread inside a critical section, at a call of the test's own object, so that a test sees
 * what another thread can do meanwhile. Unlike a race of many rounds it finds a missing lock every
 * time, also on one busy CPU.
 */
public final class Gate {
    private static final Duration TOO_LONG = Duration.ofSeconds(30);

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** The first thread that gets here waits until {@link #excludes} lets it go. */
    public void pass() {
        if (reached.getCount() == 0) {
            return;
        }
        reached.countDown();
        try {
            assertThat(opened.await(TOO_LONG.toSeconds(), TimeUnit.SECONDS)).as("opened").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts a task and returns when it has reached this gate. */
    public <T> FutureTask<T> stop(Callable<T> task) throws InterruptedException {
        FutureTask<T> stopped = new FutureTask<>(task);
        start(stopped);
        assertThat(reached.await(TOO_LONG.toSeconds(), TimeUnit.SECONDS)).as("reached").isTrue();
        return stopped;
    }

    /**
     * Checks that a task waits while another thread stands here; then opens.
     *
     * @return the task's result
     */
    public <T> T excludes(Callable<T> task) throws Exception {
        return excludes(task, () -> {});
    }

    /**
     * The same.
     *
     * @param meanwhile runs while both threads wait
     */
    public <T> T excludes(Callable<T> task, Runnable meanwhile) throws Exception {
        FutureTask<T> other = new FutureTask<>(task);
        Thread thread = start(other);
        while (thread.getState() != State.WAITING && thread.isAlive()) {
            Thread.sleep(1);
        }
        boolean waited = !other.isDone();
        meanwhile.run();
        opened.countDown();
        T result = other.get(TOO_LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(waited).as("waits for the other thread").isTrue();
        return result;
    }

    private static Thread start(Runnable task) {
        return Thread.ofPlatform().daemon().start(task);
    }
}
