package io.tidemark.authentication.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.Decision.Verdict;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.authorization.SelectorTerm;
import io.tidemark.authorization.SelectorTerm.Operator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessReviewerTest {
    private static final Caller JANE = new Caller("jane", List.of("dev"));
    private static final RequestAttributes PODS =
            new ResourceRequest("list", "", "v1", "pods", "", "blue", "");
    private static final String ALLOW = answer("\"allowed\":true,\"reason\":\"by test\"");
    private static final String NO_OPINION = answer("\"allowed\":false,\"reason\":\"no rule\"");

    private final AtomicLong nanos = new AtomicLong(-7);
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private volatile String answer = ALLOW;
    private final AccessReviewer reviewer =
            new AccessReviewer(this::create, pauses::add, nanos::get);

    private static String answer(String status) {
        return "{\"kind\":\"SubjectAccessReview\",\"status\":{" + status + "}}";
    }

    private byte[] create(String path, byte[] json) throws IOException {
        asked.add(new String(json, StandardCharsets.UTF_8));
        assertThat(path).isEqualTo("/apis/authorization.k8s.io/v1/subjectaccessreviews");
        if (answer.isEmpty()) {
            throw new IOException("away");
        }
        return answer.getBytes(StandardCharsets.UTF_8);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private Decision decide() throws InterruptedException {
        return reviewer.decide(JANE, PODS);
    }

    private static RequestAttributes podsOf(String namespace) {
        return new ResourceRequest("list", "", "v1", "pods", "", namespace, "");
    }

    @Test
    void asksWithAllThatIsKnownOfARequest() throws Exception {
        Caller caller =
                new Caller("jane", "7", List.of("dev", "ops"), Map.of("scopes", List.of("a", "b")));
        reviewer.decide(
                caller,
                new ResourceRequest(
                        "list",
                        "apps",
                        "v1",
                        "deployments",
                        "scale",
                        "blue",
                        "x",
                        List.of(new SelectorTerm("spec.nodeName", Operator.IN, List.of("n1"))),
                        List.of(
                                new SelectorTerm("a", Operator.NOT_IN, List.of("b", "c")),
                                new SelectorTerm("d", Operator.DOES_NOT_EXIST, List.of()))));
        assertThat(new JsonMapper().readTree(asked.getFirst()))
                .isEqualTo(
                        new JsonMapper()
                                .readTree(
                                        """
                                        {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview",
                                         "spec":{"user":"jane","uid":"7","groups":["dev","ops"],
                                          "extra":{"scopes":["a","b"]},
                                          "resourceAttributes":{"verb":"list","group":"apps","version":"v1",
                                           "resource":"deployments","subresource":"scale","namespace":"blue","name":"x",
                                           "fieldSelector":{"requirements":[
                                             {"key":"spec.nodeName","operator":"In","values":["n1"]}]},
                                           "labelSelector":{"requirements":[
                                             {"key":"a","operator":"NotIn","values":["b","c"]},
                                             {"key":"d","operator":"DoesNotExist"}]}}}}
                                        """));
        reviewer.decide(JANE, new NonResourceRequest("get", "/kv/registry/*"));
        assertThat(new JsonMapper().readTree(asked.getLast()).path("spec"))
                .isEqualTo(
                        new JsonMapper()
                                .readTree(
                                        """
                                        {"user":"jane","groups":["dev"],
                                         "nonResourceAttributes":{"path":"/kv/registry/*","verb":"get"}}
                                        """));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"allowed\":true,\"reason\":\"r\" | ALLOWED | r",
                "\"allowed\":false,\"reason\":\"r\" | NO_OPINION | r",
                "\"allowed\":false,\"denied\":true,\"reason\":\"r\" | DENIED | r",
                "\"allowed\":true,\"denied\":true,\"reason\":\"r\" | DENIED | r",
                "\"allowed\":true,\"denied\":false,\"evaluationError\":\"e\" | ALLOWED | ''",
            })
    void decidesAsTheServerDoesAndADenialWins(String status, Verdict verdict, String reason)
            throws Exception {
        answer = answer(status);
        assertThat(decide().verdict()).isEqualTo(verdict);
        assertThat(decide().reason()).isEqualTo(reason);
        assertThat(asked).hasSize(1);
    }

    @Test
    void keepsWhatAllowsForFiveMinutesAndOthersFor30Seconds() throws Exception {
        assertThat(decide().isAllowed()).isTrue();
        answer = NO_OPINION;
        pass(AccessReviewer.ALLOWED_FOR.minusNanos(1));
        assertThat(decide().isAllowed()).isTrue();
        assertThat(asked).hasSize(1);
        pass(Duration.ofNanos(1));
        assertThat(decide().isAllowed()).isFalse();
        assertThat(asked).hasSize(2);

        answer = ALLOW;
        pass(AccessReviewer.OTHERS_FOR.minusNanos(1));
        assertThat(decide().isAllowed()).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(decide().isAllowed()).isTrue();
        assertThat(asked).hasSize(3);
    }

    @Test
    void questionsThatDifferInAnythingShareNoAnswer() throws Exception {
        List<Caller> callers =
                List.of(
                        JANE,
                        new Caller("jane", List.of("dev", "a")),
                        new Caller("jane", "7", List.of("dev"), Map.of()),
                        new Caller("jane", "", List.of("dev"), Map.of("a", List.of("b"))),
                        new Caller("joe", List.of("dev")));
        List<RequestAttributes> requests =
                List.of(
                        PODS,
                        podsOf("red"),
                        new ResourceRequest("list", "", "v1", "pods", "", "blue", "x"),
                        new ResourceRequest("watch", "", "v1", "pods", "", "blue", ""),
                        new NonResourceRequest("list", "pods"));
        for (int round = 0; round < 2; round++) {
            for (Caller caller : callers) {
                for (RequestAttributes request : requests) {
                    reviewer.decide(caller, request);
                }
            }
        }
        assertThat(asked).hasSize(callers.size() * requests.size()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "[]",
                "{}",
                "null",
                "{\"kind\":\"Status\",\"status\":\"Failure\"}",
                "{\"kind\":\"SubjectAccessReview\"}",
                "{\"kind\":\"SubjectAccessReview\",\"status\":{}}",
                "{\"kind\":\"SubjectAccessReview\",\"status\":{\"allowed\":\"true\"}}",
                "{\"kind\":\"SubjectAccessReview\",\"status\":{\"allowed\":1}}",
                "{\"kind\":\"SubjectAccessReview\",\"status\":{\"allowed\":true,\"denied\":\"x\"}}",
                "{\"kind\":\"TokenReview\",\"status\":{\"allowed\":true}}",
                "{\"kind\":\"SubjectAccessReview\",\"status\":{\"allowed\":true}",
            })
    void isUnavailableIfTheAnswerIsNoDecision(String other) {
        answer = other;
        assertThatThrownBy(this::decide).isInstanceOf(AuthorizerUnavailableException.class);
    }

    @Test
    void cutsALongReason() throws Exception {
        answer = answer("\"allowed\":false,\"reason\":\"" + "x".repeat(100_000) + "\"");
        assertThat(decide().reason()).hasSize(AccessReview.MAX_REASON);
    }

    @Test
    void triesAgainWithPausesAndThenIsUnavailable() {
        answer = "";
        assertThatThrownBy(this::decide)
                .isInstanceOf(AuthorizerUnavailableException.class)
                .hasMessage("away");
        assertThat(asked).hasSize(AccessReviewer.ATTEMPTS);
        assertThat(pauses).hasSize(AccessReviewer.ATTEMPTS - 1);
        assertThat(pauses).allMatch(each -> each.compareTo(Duration.ofSeconds(1)) <= 0);
    }

    @Test
    void triesNoMoreOnceASlowServerHasTakenTooLong() {
        AccessReviewer slow =
                new AccessReviewer(
                        (_, _) -> {
                            asked.add("");
                            pass(Duration.ofSeconds(2));
                            throw new IOException("no answer in 5 s");
                        },
                        pauses::add,
                        nanos::get);
        assertThatThrownBy(() -> slow.decide(JANE, PODS))
                .isInstanceOf(AuthorizerUnavailableException.class);
        assertThat(asked).hasSize(1);
    }

    @Test
    void servesAgainAfterAnOutage() throws Exception {
        answer = "";
        assertThatThrownBy(this::decide).isInstanceOf(AuthorizerUnavailableException.class);
        answer = ALLOW;
        assertThat(decide().isAllowed()).isTrue();
    }

    @Test
    void requestsThatGoOnAskOnceForEachVersion() throws Exception {
        Runnable end = reviewer.onChange(() -> {});
        decide();
        for (int version = 1; version <= 3; version++) {
            pass(AccessReviewer.CHECKED_EVERY);
            reviewer.refresh();
            assertThat(reviewer.standing().version()).isEqualTo(version);
            for (int watch = 0; watch < 100; watch++) {
                assertThat(reviewer.decideAgain(JANE, PODS).isAllowed()).isTrue();
            }
            assertThat(asked).hasSize(1 + version);
            decide();
            assertThat(asked).hasSize(1 + version);
        }
        answer = NO_OPINION;
        assertThat(reviewer.decideAgain(JANE, PODS).isAllowed()).isTrue();
        pass(AccessReviewer.CHECKED_EVERY);
        reviewer.refresh();
        assertThat(reviewer.decideAgain(JANE, PODS).isAllowed()).isFalse();
        assertThat(decide().isAllowed()).isFalse();
        end.run();
    }

    @Test
    void movesTheVersionTwiceAMinuteOnlyForListeners() {
        AtomicInteger calls = new AtomicInteger();
        pass(AccessReviewer.CHECKED_EVERY);
        reviewer.refresh();
        assertThat(reviewer.standing().version()).isZero();
        Runnable end = reviewer.onChange(calls::incrementAndGet);
        reviewer.refresh();
        assertThat(calls).hasValue(1);
        pass(AccessReviewer.CHECKED_EVERY.minusNanos(1));
        reviewer.refresh();
        assertThat(calls).hasValue(1);
        pass(Duration.ofNanos(1));
        reviewer.refresh();
        assertThat(calls).hasValue(2);
        end.run();
        pass(AccessReviewer.CHECKED_EVERY);
        reviewer.refresh();
        assertThat(calls).hasValue(2);
    }

    @Test
    void anAnswerThatDiffersMovesTheVersionAtOnce() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        reviewer.onChange(calls::incrementAndGet);
        decide();
        reviewer.refresh();
        assertThat(calls).hasValue(0);
        pass(AccessReviewer.ALLOWED_FOR);
        reviewer.refresh();
        int before = calls.get();
        answer = NO_OPINION;
        decide();
        reviewer.refresh();
        assertThat(calls).hasValue(before + 1);
        assertThat(reviewer.decideAgain(JANE, PODS).isAllowed()).isFalse();
        reviewer.refresh();
        assertThat(calls).hasValue(before + 1);
    }

    @Test
    void anOutageEndsRequestsThatGoOnOnlyWhenTheirAnswerExpires() throws Exception {
        reviewer.onChange(() -> {});
        decide();
        answer = "";
        pass(AccessReviewer.ALLOWED_FOR.minusNanos(1));
        reviewer.refresh();
        assertThat(reviewer.decideAgain(JANE, PODS).isAllowed()).isTrue();
        assertThat(asked).hasSizeGreaterThan(1);
        pass(Duration.ofNanos(1));
        assertThatThrownBy(() -> reviewer.decideAgain(JANE, PODS))
                .isInstanceOf(AuthorizerUnavailableException.class);
    }

    @Test
    void decisionsDependOnNoRevision() {
        assertThat(reviewer.standing().covers(7, Long.MAX_VALUE)).isTrue();
        assertThat(reviewer.rulesOf(JANE, "blue")).isEmpty();
    }

    @Test
    void forgetsTheQuestionsThatWereAskedLongestAgo() throws Exception {
        for (int i = 0; i <= AccessReviewer.MAX_CACHED; i++) {
            reviewer.decide(JANE, podsOf("n" + i));
        }
        int before = asked.size();
        reviewer.decide(JANE, podsOf("n" + AccessReviewer.MAX_CACHED));
        assertThat(asked).hasSize(before);
        reviewer.decide(JANE, podsOf("n0"));
        assertThat(asked).hasSize(before + 1);
    }

    @Test
    void concurrentEqualQuestionsAreAskedOnce() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AccessReviewer slow = blocked(begun, go, new AtomicInteger(), new AtomicInteger());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Decision>> found = new ArrayList<>();
            found.add(threads.submit(() -> slow.decide(JANE, PODS)));
            assertThat(begun.await(3, TimeUnit.MINUTES)).isTrue();
            for (int i = 0; i < 50; i++) {
                found.add(threads.submit(() -> slow.decide(JANE, PODS)));
            }
            go.countDown();
            for (Future<Decision> each : found) {
                assertThat(each.get(3, TimeUnit.MINUTES).isAllowed()).isTrue();
            }
        }
        assertThat(asked).hasSize(1);
    }

    @Test
    void boundsReviewsAndThoseThatWait() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        AccessReviewer slow = blocked(new CountDownLatch(1), go, running, most);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Decision>> found = new ArrayList<>();
            for (int i = 0; i < AccessReviewer.MAX_REVIEWS; i++) {
                RequestAttributes asks = podsOf("a" + i);
                found.add(threads.submit(() -> slow.decide(JANE, asks)));
            }
            Awaitility.await().until(() -> running.get() == AccessReviewer.MAX_REVIEWS);
            for (int i = 0; i < 2 * AccessReviewer.MAX_WAITING; i++) {
                RequestAttributes asks = podsOf("b" + i);
                found.add(threads.submit(() -> slow.decide(JANE, asks)));
            }
            Awaitility.await()
                    .until(() ->
                            found.stream().filter(Future::isDone).count()
                                    >= AccessReviewer.MAX_WAITING);
            // Requests that go on have turns of their own.
            Future<Decision> again = threads.submit(() -> slow.decideAgain(JANE, podsOf("c")));
            Awaitility.await().until(() -> running.get() == AccessReviewer.MAX_REVIEWS + 1);
            go.countDown();
            assertThat(again.get(3, TimeUnit.MINUTES).isAllowed()).isTrue();
            int refused = 0;
            for (Future<Decision> each : found) {
                refused += isUnavailable(each) ? 1 : 0;
            }
            assertThat(refused).isGreaterThanOrEqualTo(AccessReviewer.MAX_WAITING);
        }
        assertThat(most).hasValue(AccessReviewer.MAX_REVIEWS + 1);
    }

    private static boolean isUnavailable(Future<Decision> each) throws Exception {
        try {
            each.get(3, TimeUnit.MINUTES);
            return false;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(AuthorizerUnavailableException.class);
            return true;
        }
    }

    private AccessReviewer blocked(
            CountDownLatch begun, CountDownLatch go, AtomicInteger running, AtomicInteger most) {
        return new AccessReviewer(
                (_, json) -> {
                    asked.add(new String(json, StandardCharsets.UTF_8));
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    begun.countDown();
                    go.await();
                    running.decrementAndGet();
                    return ALLOW.getBytes(StandardCharsets.UTF_8);
                },
                _ -> {},
                nanos::get);
    }
}
