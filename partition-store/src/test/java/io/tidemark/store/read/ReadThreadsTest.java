package io.tidemark.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.store.engine.EngineException;
import io.tidemark.store.read.ReadExecutor.BusyException;
import io.tidemark.store.read.ReadExecutor.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadThreadsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int MANY = 200;

    private final CountDownLatch disk = new CountDownLatch(1);
    private final List<Thread> readers = new ArrayList<>();

    @AfterEach
    void releaseDisk() throws InterruptedException {
        disk.countDown();
        for (Thread reader : readers) {
            reader.join();
        }
    }

    @Test
    void pointReadDoesNotWaitBehindPages() throws Exception {
        try (ReadThreads threads = new ReadThreads(LONG, LONG, LONG)) {
            read(threads, Kind.SCAN, MANY);
            read(threads, Kind.CHANGES, MANY);
            read(threads, Kind.CHECK, MANY);

            assertThat(threads.<String>pass(Kind.POINT, () -> "value")).isEqualTo("value");
        }
    }

    @Test
    void refusesAReadThatCannotStartInTime() {
        try (ReadThreads threads = new ReadThreads(SHORT, LONG, LONG)) {
            holdAll(threads);

            assertThatThrownBy(() -> threads.pass(Kind.SCAN, () -> "value"))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("the disk is slow: a scan read has not begun within 20");
        }
    }

    @Test
    void refusesAtOnceWhileEveryThreadIsStuckAndServesAgainAfterwards() {
        try (ReadThreads threads = new ReadThreads(SHORT, SHORT, SHORT)) {
            await().until(() -> {
                read(threads, Kind.POINT, 1);
                return refusal(threads).contains("the disk does not answer");
            });

            disk.countDown();

            await().until(() -> refusal(threads).isEmpty());
        }
    }

    @Test
    void interruptedReaderLeavesTheQueue() throws Exception {
        try (ReadThreads threads = new ReadThreads(LONG, LONG, LONG)) {
            holdAll(threads);
            AtomicInteger reads = new AtomicInteger();
            FutureTask<Boolean> asked =
                    new FutureTask<>(() -> {
                        try {
                            return threads.pass(Kind.SCAN, reads::incrementAndGet) < 0;
                        } catch (BusyException _) {
                            return Thread.currentThread().isInterrupted();
                        }
                    });
            Thread reader = Thread.ofVirtual().start(asked);
            reader.interrupt();

            assertThat(asked.get(1, TimeUnit.MINUTES)).isTrue();
            disk.countDown();
            for (Thread each : readers) {
                each.join();
            }
            assertThat(reads).hasValue(0);
        }
    }

    @Test
    void rethrowsTheReadsException() {
        try (ReadThreads threads = new ReadThreads(LONG, LONG, LONG)) {
            assertThatThrownBy(() ->
                            threads.pass(
                                    Kind.POINT,
                                    () -> {
                                        throw new EngineException("broken", null);
                                    }))
                    .isInstanceOf(EngineException.class);
        }
    }

    @Test
    void closeRefusesQueuedReads() {
        ReadThreads threads = new ReadThreads(LONG, LONG, LONG);
        holdAll(threads);
        FutureTask<String> asked = new FutureTask<>(() -> refusal(threads));
        Thread.ofVirtual().start(asked);

        threads.close();

        await().until(asked::isDone);
        assertThat(asked.resultNow()).isEqualTo("closed");
    }

    private static String refusal(ReadThreads threads) {
        try {
            String _ = threads.pass(Kind.POINT, () -> "value");
            return "";
        } catch (BusyException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void holdAll(ReadThreads threads) {
        for (Kind kind : Kind.values()) {
            read(threads, kind, MANY);
        }
    }

    /** Returns once as many reads are running as there are threads. */
    private void read(ReadThreads threads, Kind kind, int count) {
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            readers.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                // A read that a busy machine did not begin in time is repeated.
                                boolean begun = wait(threads, kind, inside);
                                while (!begun
                                        && count > 1
                                        && inside.get() < ReadThreads.threads(kind)
                                        && disk.getCount() > 0) {
                                    begun = wait(threads, kind, inside);
                                }
                            }));
        }
        await().until(() -> count == 1 || inside.get() == ReadThreads.threads(kind));
    }

    /** False if it was refused. */
    private boolean wait(ReadThreads threads, Kind kind, AtomicInteger inside) {
        try {
            int _ =
                    threads.pass(
                            kind,
                            () -> {
                                int now = inside.incrementAndGet();
                                awaitDisk();
                                return now;
                            });
            return true;
        } catch (BusyException _) {
            return false;
        }
    }

    private void awaitDisk() {
        boolean interrupted = false;
        while (true) {
            try {
                disk.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true; // Native code does not notice.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
