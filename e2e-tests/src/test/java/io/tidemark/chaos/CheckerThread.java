package io.tidemark.chaos;

import io.tidemark.chaos.check.HistoryChecker;
import io.tidemark.simulation.promise.Violation;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The only thread that works on the checker's model: continuously, and on request. */
final class CheckerThread implements AutoCloseable {
    private static final long IDLE_MILLIS = 50;

    private final HistoryChecker judge;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("judge").daemon().factory());
    private final Thread clock;
    private volatile boolean over;

    CheckerThread(HistoryChecker judge) {
        this.judge = judge;
        clock = Thread.ofPlatform().name("judge-clock").daemon().start(this::run);
    }

    private void run() {
        try {
            while (!over) {
                boolean _ = call(HistoryChecker::advance);
                TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** For calls that any thread may make. */
    HistoryChecker judge() {
        return judge;
    }

    /** Runs an action on the checker, after everything that has arrived before. */
    <T> T call(Function<HistoryChecker, T> work) throws InterruptedException {
        Future<T> answer = thread.submit(() -> work.apply(judge));
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The violations found so far, or at the end. */
    List<Violation> violations() throws InterruptedException {
        return over ? judge.violations() : call(HistoryChecker::violations);
    }

    /** From here on only the caller uses the checker. */
    HistoryChecker stop() throws InterruptedException {
        over = true;
        clock.join();
        thread.shutdown();
        if (!thread.awaitTermination(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the checker does not finish");
        }
        return judge;
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        clock.join();
        thread.shutdownNow();
    }
}
