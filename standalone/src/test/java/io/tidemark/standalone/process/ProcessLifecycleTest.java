package io.tidemark.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ProcessLifecycleTest {
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final ProcessLifecycle running = new ProcessLifecycle(_ -> {}, Duration.ofSeconds(20));

    @Test
    void stopsTheHighestStageFirstAndOnce() throws Exception {
        for (int stage : new int[] {2, 0, 3, 1}) {
            running.start(stage, "part", () -> () -> ended.add("stage " + stage));
        }

        running.close();
        running.close();

        assertThat(ended).containsExactly("stage 3", "stage 2", "stage 1", "stage 0");
    }

    @Test
    void stopsPartsOfAStageInParallel() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            running.start(
                    1,
                    "part",
                    () ->
                            () -> {
                                both.countDown();
                                assertThat(both.await(3, TimeUnit.MINUTES)).isTrue();
                                ended.add("met");
                            });
        }

        running.close();

        assertThat(ended).hasSize(2);
    }

    @Test
    void failureToStopDoesNotAffectOtherParts() throws Exception {
        running.start(0, "first", () -> () -> ended.add("first"));
        running.start(
                1,
                "second",
                () ->
                        () -> {
                            throw new IllegalStateException("on purpose");
                        });

        running.close();

        assertThat(ended).containsExactly("first");
    }

    @Test
    void abandonsAPartAtTheDeadline() throws Exception {
        ProcessLifecycle impatient = new ProcessLifecycle(_ -> {}, Duration.ofMillis(200));
        CountDownLatch never = new CountDownLatch(1);
        impatient.start(0, "first", () -> () -> ended.add("first"));
        impatient.start(1, "stuck", () -> never::await);

        impatient.close();

        Awaitility.await().untilAsserted(() -> assertThat(ended).containsExactly("first"));
    }

    @Test
    void shutdownWaitsForAPartThatIsStarting() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch mayStart = new CountDownLatch(1);
        Thread starter =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                running.start(
                                        0,
                                        "slow",
                                        () -> {
                                            starting.countDown();
                                            awaitUninterrupted(mayStart);
                                            return () -> ended.add("slow");
                                        });
                            } catch (Exception e) {
                                ended.add(e.toString());
                            }
                        });
        assertThat(starting.await(3, TimeUnit.MINUTES)).isTrue();

        Thread closer = Thread.ofVirtual().start(running::close);
        mayStart.countDown();
        closer.join();
        starter.join();

        assertThat(ended).containsExactly("slow");
    }

    /** Such as an etcd that takes longer to become healthy than a shutdown waits. */
    @Test
    void shutdownAbortsAStart() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch aborted = new CountDownLatch(1);
        Thread starter =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                running.start(
                                        0,
                                        "slow",
                                        () -> {
                                            starting.countDown();
                                            awaitUninterrupted(aborted);
                                            throw new IOException("aborted");
                                        },
                                        aborted::countDown);
                            } catch (IOException | ProcessLifecycle.EndingException e) {
                                ended.add(e.getClass().getSimpleName());
                            }
                        });
        assertThat(starting.await(3, TimeUnit.MINUTES)).isTrue();

        running.close();
        starter.join();

        assertThat(ended).containsExactly("EndingException");
    }

    @Test
    void refusesStartsDuringShutdown() {
        running.close();

        assertThatThrownBy(() -> running.start(0, "late", () -> () -> ended.add("late")))
                .isInstanceOf(ProcessLifecycle.EndingException.class);
        assertThat(ended).isEmpty();
    }

    @Test
    void failureOfAPartGivesExitCodeOne() {
        running.failed("it broke");
        running.failed("so this broke too");

        assertThat(running.await(() -> false)).isFalse();
        assertThat(running.awaitFailure()).isEqualTo(1);
    }

    @Test
    void ignoresFailuresDuringShutdown() {
        running.close();

        running.failed("etcd ended");

        assertThat(running.await(() -> true)).isTrue();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
