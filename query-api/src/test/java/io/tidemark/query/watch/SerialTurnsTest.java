package io.tidemark.query.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.query.watch.SerialTurns.Next;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SerialTurnsTest {
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final Deque<Supplier<Next>> script = new ArrayDeque<>();
    private final SerialTurns turns = new SerialTurns(queue::add, () -> script.remove().get());

    @Test
    void beginsWithTheFirstResume() {
        turns.signal();
        assertThat(queue).isEmpty();
        turns.resume();
        script.add(() -> Next.SIGNAL);
        runNext();
        assertThat(queue).isEmpty();
    }

    @Test
    void answersManySignalsWithOneTurn() {
        idle();
        turns.signal();
        turns.signal();
        script.add(() -> Next.SIGNAL);
        runNext();
        assertThat(queue).isEmpty();
    }

    @Test
    void answersASignalDuringATurnWithAnotherTurn() {
        idle();
        turns.signal();
        script.add(() -> {
            turns.signal();
            return Next.SIGNAL;
        });
        runNext();
        script.add(() -> Next.SIGNAL);
        runNext();
        assertThat(queue).isEmpty();
    }

    @Test
    void repeatsATurnWithoutASignal() {
        idle();
        turns.signal();
        script.add(() -> Next.TURN);
        runNext();
        script.add(() -> Next.SIGNAL);
        runNext();
        assertThat(queue).isEmpty();
    }

    @Test
    void takesNoTurnWhileHandedOver() {
        idle();
        turns.signal();
        script.add(() -> Next.HANDED_OVER);
        runNext();
        turns.signal();
        assertThat(queue).isEmpty();
        turns.resume();
        script.add(() -> Next.SIGNAL);
        runNext();
        assertThat(queue).isEmpty();
    }

    /** Each turn takes all mail that is there. None may stay. */
    @Test
    void missesNoSignalOfOtherThreads() throws Exception {
        AtomicLong mail = new AtomicLong();
        AtomicLong taken = new AtomicLong();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        try (ExecutorService writers = Executors.newFixedThreadPool(3)) {
            SerialTurns shared =
                    new SerialTurns(
                            writers,
                            () -> {
                                if (inside.incrementAndGet() > 1) {
                                    overlaps.incrementAndGet();
                                }
                                taken.addAndGet(mail.getAndSet(0));
                                inside.decrementAndGet();
                                return Next.SIGNAL;
                            });
            shared.resume();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                senders.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    for (int n = 0; n < 20_000; n++) {
                                        mail.incrementAndGet();
                                        shared.signal();
                                    }
                                }));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            await().until(() -> taken.get() == 80_000);
        }
        assertThat(overlaps).hasValue(0);
    }

    private void idle() {
        turns.resume();
        script.add(() -> Next.SIGNAL);
        runNext();
    }

    private void runNext() {
        assertThat(queue).hasSize(1);
        queue.remove().run();
    }
}
