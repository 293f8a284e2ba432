package io.tidemark.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ReadGuardTest {
    @RepeatedTest(50)
    void noReadIsInsideAfterClose() throws Exception {
        ReadGuard guard = new ReadGuard();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger trespassers = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(
                        readers.submit(() -> {
                            while (guard.enter()) {
                                inside.countDown();
                                if (ended.get()) {
                                    trespassers.incrementAndGet();
                                }
                                guard.leave();
                                Thread.yield();
                            }
                        }));
            }
            assertThat(inside.await(1, TimeUnit.MINUTES)).isTrue();
            guard.close();
            ended.set(true);
            for (Future<?> each : all) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
        assertThat(trespassers).hasValue(0);
    }

    @Test
    void closeWaitsForReadsInside() throws Exception {
        ReadGuard guard = new ReadGuard();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> reader =
                    threads.submit(() -> {
                        boolean entered = guard.enter();
                        inside.countDown();
                        leave.await();
                        guard.leave();
                        return entered;
                    });
            assertThat(inside.await(1, TimeUnit.MINUTES)).isTrue();
            Future<?> closer = threads.submit(guard::close);
            while (guard.enter()) {
                guard.leave();
            }
            assertThat(closer.isDone()).isFalse();
            leave.countDown();
            closer.get(1, TimeUnit.MINUTES);
            assertThat(reader.get()).isTrue();
        }
    }
}
