package io.tidemark.authentication.review;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.Unavailable;
import io.tidemark.authentication.Authentication.Wrong;
import io.tidemark.authorization.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenReviewerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String JANE =
            """
            {"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"jane",
             "uid":"7","groups":["dev","system:authenticated"],"extra":{"Scopes":["a","b"]}}}}
            """;
    private static final String WRONG =
            "{\"kind\":\"TokenReview\",\"status\":{\"authenticated\":false,\"error\":\"sekret\"}}";

    private final AtomicLong nanos = new AtomicLong(-7);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile String answer = JANE;
    private Instant now = NOW;
    private final TokenReviewer reviewer = new TokenReviewer(this::create, () -> now, nanos::get);

    private byte[] create(String path, byte[] json) throws IOException {
        asked.incrementAndGet();
        assertThat(path).isEqualTo("/apis/authentication.k8s.io/v1/tokenreviews");
        assertThat(new JsonMapper().readTree(json).path("spec").path("token").asText())
                .startsWith("t");
        if (answer.isEmpty()) {
            throw new IOException("away");
        }
        return answer.getBytes(StandardCharsets.UTF_8);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static String jwt(String claims) {
        return "t."
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".x";
    }

    @Test
    void knowsWhomTheServerKnows() throws Exception {
        assertThat(reviewer.authenticate("t"))
                .isEqualTo(
                        new Known(
                                new Caller(
                                        "jane",
                                        "7",
                                        List.of("dev", "system:authenticated"),
                                        Map.of("scopes", List.of("a", "b"))),
                                Instant.MAX));
    }

    @Test
    void keepsAnAnswerForTwoMinutesAndARefusalForTenSeconds() throws Exception {
        reviewer.authenticate("t");
        pass(TokenReviewer.KNOWN_FOR.minusNanos(1));
        assertThat(reviewer.authenticate("t")).isInstanceOf(Known.class);
        assertThat(asked).hasValue(1);
        answer = WRONG;
        pass(Duration.ofNanos(1));
        assertThat(reviewer.authenticate("t")).isInstanceOf(Wrong.class);
        assertThat(asked).hasValue(2);

        answer = JANE;
        pass(TokenReviewer.WRONG_FOR.minusNanos(1));
        assertThat(reviewer.authenticate("t")).isInstanceOf(Wrong.class);
        pass(Duration.ofNanos(1));
        assertThat(reviewer.authenticate("t")).isInstanceOf(Known.class);
        assertThat(asked).hasValue(3);
    }

    @Test
    void tokensShareNoAnswer() throws Exception {
        reviewer.authenticate("t");
        answer = WRONG;
        assertThat(reviewer.authenticate("t2")).isInstanceOf(Wrong.class);
        assertThat(((Wrong) reviewer.authenticate("t2")).reason()).doesNotContain("sekret");
    }

    @Test
    void isUnavailableWithoutTheServerAndAsksAgain() throws Exception {
        answer = "";
        assertThat(reviewer.authenticate("t")).isEqualTo(new Unavailable("away"));
        answer = JANE;
        assertThat(reviewer.authenticate("t")).isInstanceOf(Known.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "[]",
                "{}",
                "null",
                "{\"kind\":\"Status\",\"status\":\"Failure\"}",
                "{\"kind\":\"TokenReview\"}",
                "{\"kind\":\"TokenReview\",\"status\":7}",
                "{\"kind\":\"TokenReview\",\"status\":{\"authenticated\":true}}",
                "{\"kind\":\"TokenReview\",\"status\":{\"authenticated\":true,\"user\":{}}}",
                "{\"kind\":\"Pod\",\"status\":{\"authenticated\":true,\"user\":{\"username\":\"x\"}}}",
            })
    void isUnavailableIfTheAnswerIsNoReview(String other) throws Exception {
        answer = other;
        assertThat(reviewer.authenticate("t")).isInstanceOf(Unavailable.class);
    }

    @Test
    void aJwtEndsWithItsClaim() throws Exception {
        String token = jwt("{\"exp\":" + (NOW.getEpochSecond() + 60) + "}");
        assertThat(((Known) reviewer.authenticate(token)).until()).isEqualTo(NOW.plusSeconds(60));
        now = NOW.plusSeconds(60);
        assertThat(reviewer.authenticate(token)).isInstanceOf(Wrong.class);
        assertThat(asked).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"t..", "t.!.x", "t.e30.x.y", "t"})
    void otherTokensHaveNoEndOfTheirOwn(String token) throws Exception {
        assertThat(((Known) reviewer.authenticate(token)).until()).isEqualTo(Instant.MAX);
        assertThat(((Known) reviewer.authenticate(jwt("{\"exp\":\"1\"}"))).until())
                .isEqualTo(Instant.MAX);
    }

    @Test
    void openWatchesAskAgainTwiceAMinute() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        reviewer.onChange(calls::incrementAndGet);
        pass(TokenReviewer.CHECKED_EVERY);
        reviewer.refresh();
        assertThat(calls).hasValue(0);

        reviewer.authenticate("t");
        reviewer.refresh();
        assertThat(calls).hasValue(1);
        assertThat(reviewer.version()).isEqualTo(1);
        reviewer.authenticate("t");
        pass(TokenReviewer.CHECKED_EVERY.minusNanos(1));
        reviewer.refresh();
        assertThat(calls).hasValue(1);
        pass(Duration.ofNanos(1));
        reviewer.refresh();
        assertThat(calls).hasValue(2);
    }

    @Test
    void concurrentRequestsShareAReview() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        TokenReviewer slow =
                new TokenReviewer(
                        (_, _) -> {
                            asked.incrementAndGet();
                            begun.countDown();
                            go.await();
                            return JANE.getBytes(StandardCharsets.UTF_8);
                        },
                        () -> now,
                        nanos::get);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Authentication>> found = new ArrayList<>();
            found.add(threads.submit(() -> slow.authenticate("t")));
            assertThat(begun.await(3, TimeUnit.MINUTES)).isTrue();
            for (int i = 0; i < 50; i++) {
                found.add(threads.submit(() -> slow.authenticate("t")));
            }
            go.countDown();
            for (Future<Authentication> each : found) {
                assertThat(each.get(3, TimeUnit.MINUTES)).isInstanceOf(Known.class);
            }
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void boundsReviewsAndThoseThatWait() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        TokenReviewer slow =
                new TokenReviewer(
                        (_, _) -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            go.await();
                            running.decrementAndGet();
                            return JANE.getBytes(StandardCharsets.UTF_8);
                        },
                        () -> now,
                        nanos::get);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Authentication>> found = new ArrayList<>();
            for (int i = 0; i < TokenReviewer.MAX_REVIEWS; i++) {
                String token = "t" + i;
                found.add(threads.submit(() -> slow.authenticate(token)));
            }
            Awaitility.await().until(() -> running.get() == TokenReviewer.MAX_REVIEWS);
            found.addAll(flood(slow, threads));
            go.countDown();
            int refused = 0;
            for (Future<Authentication> each : found) {
                refused += each.get(3, TimeUnit.MINUTES) instanceof Unavailable ? 1 : 0;
            }
            assertThat(refused).isGreaterThanOrEqualTo(TokenReviewer.MAX_WAITING);
        }
        assertThat(most).hasValue(TokenReviewer.MAX_REVIEWS);
    }

    /** Asks for twice as many new tokens as may wait, until the rest is refused. */
    private static List<Future<Authentication>> flood(TokenReviewer slow, ExecutorService threads) {
        List<Future<Authentication>> asked = new ArrayList<>();
        for (int i = 0; i < 2 * TokenReviewer.MAX_WAITING; i++) {
            String token = "u" + i;
            asked.add(threads.submit(() -> slow.authenticate(token)));
        }
        Awaitility.await()
                .until(() ->
                        asked.stream().filter(Future::isDone).count() >= TokenReviewer.MAX_WAITING);
        return asked;
    }

    @Test
    void forgetsTheTokensThatWereUsedLongestAgo() throws Exception {
        for (int i = 0; i <= TokenReviewer.MAX_CACHED; i++) {
            reviewer.authenticate("t" + i);
        }
        int before = asked.get();
        reviewer.authenticate("t" + TokenReviewer.MAX_CACHED);
        assertThat(asked).hasValue(before);
        reviewer.authenticate("t0");
        assertThat(asked).hasValue(before + 1);
    }

    /** Anyone can send them, at any rate. */
    @Test
    void wrongTokensDisplaceNoneThatAreKnown() throws Exception {
        reviewer.authenticate("t");
        answer = WRONG;
        for (int i = 0; i <= TokenReviewer.MAX_CACHED; i++) {
            reviewer.authenticate("t" + i);
        }
        int before = asked.get();
        assertThat(reviewer.authenticate("t")).isInstanceOf(Known.class);
        assertThat(asked).hasValue(before);
    }

    @Test
    void newTokensDoNotDelayTheReviewOfThoseThatWereKnown() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        TokenReviewer slow =
                new TokenReviewer(
                        (_, json) -> {
                            if (!new String(json, StandardCharsets.UTF_8).contains("known")) {
                                go.await();
                            }
                            return JANE.getBytes(StandardCharsets.UTF_8);
                        },
                        () -> now,
                        nanos::get);
        assertThat(slow.authenticate("known")).isInstanceOf(Known.class);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var unused = flood(slow, threads);
            pass(TokenReviewer.KNOWN_FOR);
            assertThat(slow.authenticate("known")).isInstanceOf(Known.class);
            go.countDown();
        }
    }

    @Test
    void anInterruptedReviewDoesNotBlockOthers() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        TokenReviewer hung =
                new TokenReviewer(
                        (_, _) -> {
                            if (calls.getAndIncrement() == 0) {
                                begun.countDown();
                                new CountDownLatch(1).await();
                            }
                            return JANE.getBytes(StandardCharsets.UTF_8);
                        },
                        () -> now,
                        nanos::get);
        Thread first =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                hung.authenticate("t");
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
        assertThat(begun.await(3, TimeUnit.MINUTES)).isTrue();
        first.interrupt();
        first.join();
        assertThat(hung.authenticate("t")).isInstanceOf(Known.class);
    }
}
