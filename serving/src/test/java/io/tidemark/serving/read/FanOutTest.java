package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FanOutTest {
    private static final List<Integer> QUESTIONS = List.of(0, 1, 2, 3, 4, 5, 6, 7);

    @ParameterizedTest
    @EnumSource
    void returnsAnswersInTheOrderOfTheQuestions(FanOut fanOut) throws Exception {
        assertThat(fanOut.ask(QUESTIONS, each -> each * each))
                .containsExactly(0, 1, 4, 9, 16, 25, 36, 49);
        assertThat(fanOut.ask(List.<Integer>of(), each -> each)).isEmpty();
        assertThat(fanOut.ask(List.of(7), each -> each + 1)).containsExactly(8);
    }

    /** Each question is answered only after all have been asked. */
    @Test
    void asksInParallel() throws Exception {
        CyclicBarrier allAreAsked = new CyclicBarrier(QUESTIONS.size());

        List<Integer> answers =
                FanOut.PARALLEL.ask(
                        QUESTIONS,
                        each -> {
                            meet(allAreAsked);
                            return each;
                        });

        assertThat(answers).isEqualTo(QUESTIONS);
    }

    @ParameterizedTest
    @EnumSource
    void rethrowsAFailure(FanOut fanOut) {
        assertThatThrownBy(() ->
                        fanOut.ask(
                                QUESTIONS,
                                each -> {
                                    if (each == 5) {
                                        throw StatusErrors.partitionUnavailable(5, "gone");
                                    }
                                    return each;
                                }))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("gone");
    }

    @Test
    void cancelsTheOthersWhenInterrupted() throws Exception {
        CountDownLatch asked = new CountDownLatch(QUESTIONS.size());
        CountDownLatch givenUp = new CountDownLatch(QUESTIONS.size());
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread asking =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                FanOut.PARALLEL.ask(QUESTIONS, _ -> waitForever(asked, givenUp));
                            } catch (InterruptedException e) {
                                thrown.set(e);
                            }
                        });
        asked.await();

        asking.interrupt();
        asking.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(givenUp.await(3, TimeUnit.MINUTES)).isTrue();
    }

    private static int waitForever(CountDownLatch asked, CountDownLatch givenUp)
            throws InterruptedException {
        asked.countDown();
        try {
            new CountDownLatch(1).await();
            return 0;
        } finally {
            givenUp.countDown();
        }
    }

    private static void meet(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
