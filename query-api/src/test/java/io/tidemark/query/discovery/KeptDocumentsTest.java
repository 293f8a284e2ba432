package io.tidemark.query.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class KeptDocumentsTest {
    private static final int LENGTH = 10_000;

    private final AtomicInteger made = new AtomicInteger();

    private Document make() {
        made.incrementAndGet();
        return Document.of(new byte[LENGTH]);
    }

    /** One thread is held while it makes the document, and the others ask for it meanwhile. */
    @Test
    void makesADocumentOnceForAllWhoAsk() throws Exception {
        KeptDocuments kept = new KeptDocuments(10L * LENGTH);
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Document> first =
                    threads.submit(() ->
                            kept.get(
                                    "slow",
                                    () -> {
                                        making.countDown();
                                        await(mayEnd);
                                        return make();
                                    }));
            making.await();
            List<Future<Document>> others =
                    IntStream.range(0, 8)
                            .mapToObj(_ -> threads.submit(() -> kept.get("slow", this::make)))
                            .toList();
            for (int i = 0; i < 100; i++) {
                int key = i;
                assertThat(kept.get(key, () -> Document.of(new byte[] {(byte) key})).bytes())
                        .as("does not wait for another")
                        .containsExactly(key);
            }
            mayEnd.countDown();
            for (Future<Document> other : others) {
                assertThat(other.get()).isSameAs(first.get());
            }
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void keepsNoMoreThanItsBound() {
        KeptDocuments kept = new KeptDocuments(3L * LENGTH);
        IntStream.range(0, 10).forEach(key -> kept.get(key, this::make));
        assertThat(kept.bytes()).isPositive().isLessThanOrEqualTo(3L * LENGTH);
        made.set(0);
        IntStream.range(0, 2).forEach(_ -> kept.get("large", () -> large()));
        assertThat(made).as("larger than the bound").hasValue(2);
    }

    private Document large() {
        made.incrementAndGet();
        return Document.of(new byte[4 * LENGTH]);
    }

    @Test
    void doesNotKeepAFailure() {
        KeptDocuments kept = new KeptDocuments(10L * LENGTH);
        assertThatThrownBy(() ->
                        kept.get(
                                "a",
                                () -> {
                                    throw new IllegalStateException("cannot be made");
                                }))
                .hasMessage("cannot be made");
        assertThat(kept.get("a", this::make).bytes()).hasSize(LENGTH);
    }

    @Test
    void throwsAFailureToThoseWhoWait() throws Exception {
        KeptDocuments kept = new KeptDocuments(10L * LENGTH);
        CountDownLatch mayFail = new CountDownLatch(1);
        CountDownLatch making = new CountDownLatch(1);
        Thread.ofVirtual()
                .start(() ->
                        assertThatThrownBy(() ->
                                kept.get(
                                        "a",
                                        () -> {
                                            making.countDown();
                                            await(mayFail);
                                            throw new IllegalStateException("cannot be made");
                                        })));
        making.await();
        FutureTask<Document> waiting = new FutureTask<>(() -> kept.get("a", this::make));
        Thread waiter = Thread.ofPlatform().start(waiting);
        Awaitility.await().until(() -> waiter.getState() == Thread.State.WAITING);
        mayFail.countDown();
        assertThatThrownBy(waiting::get)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot be made");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
