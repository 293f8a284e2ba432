package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authorization.Authorizer;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.access.AccessSettings.Authorization;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A right to what a selector matches is no right to know of the objects beside it. */
class UnreadableAccessHttpTest {
    private static final String PODS = "/api/v1/pods";
    private static final String A = "/api/v1/namespaces/a/pods";
    private static final String LABELED = "?labelSelector=app%3Dx";
    private static final String NAMED = "?fieldSelector=metadata.name%3Dbad";
    private static final String ON_NODE = "?fieldSelector=spec.nodeName%3Dn1";

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private QueryNodeFixture fixture;

    @BeforeEach
    void start() {
        cluster.pod("a", "good", Map.of("app", "x"));
        cluster.raw(MirroredCluster.podKey("a", "bad"), new byte[] {'?'}, "malformed JSON");
        cluster.raw(MirroredCluster.podKey("b", "bad"), new byte[] {'?'}, "malformed JSON");
        FakeCallers callers =
                new FakeCallers().with("all").with("labeled").with("named").with("node");
        fixture =
                new QueryNodeFixture(
                        cluster,
                        config ->
                                config.withAccess(
                                        callers.under(new Authorization.Given(new BySelectors()))));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private Answer as(String name, String path) throws Exception {
        return fixture.client.get(path, "Authorization", "Bearer " + name);
    }

    @Test
    void saysNothingOfObjectsOutsideOfTheSelectorThatGivesTheRight() throws Exception {
        for (Answer answer :
                new Answer[] {
                    as("labeled", PODS + LABELED),
                    as("labeled", A + LABELED),
                    as("labeled", A + LABELED + "&fieldSelector=metadata.name%3Dbad"),
                    as("named", PODS + NAMED),
                    as("node", PODS + ON_NODE),
                }) {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.warning()).isEmpty();
        }
    }

    @Test
    void saysNothingInWatchesAndLongPolls() throws Exception {
        try (Watch watch =
                fixture.client.watch(
                        A + LABELED + "&watch=1&timeoutSeconds=9",
                        "Authorization",
                        "Bearer labeled")) {
            assertThat(watch.header("Warning")).isEmpty();
            assertThat(watch.next(1)).containsExactly("ADDED good@101");
        }
        Answer poll =
                as(
                        "labeled",
                        A
                                + LABELED
                                + "&watch=true&longPoll=true&resourceVersion=100&timeoutSeconds=5");
        assertThat(poll.status()).isEqualTo(200);
        assertThat(poll.warning()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", LABELED, NAMED, ON_NODE})
    void warnsCallersWhoMayReadAllOfTheScope(String selector) throws Exception {
        assertThat(as("all", PODS + selector).header("Warning"))
                .startsWith("299 - \"2 objects of pods");
    }

    @Test
    void warnsOfTheOneObjectThatACallerMayRead() throws Exception {
        assertThat(as("named", A + NAMED).header("Warning")).startsWith("299 - \"1 object of pods");
    }

    /** As an API server whose authorizers judge selectors; it does not know about one question. */
    private static final class BySelectors implements Authorizer {
        private static final Map<String, Predicate<ResourceRequest>> RIGHTS =
                Map.of(
                        "all", _ -> true,
                        "labeled", asked -> !asked.labels().isEmpty(),
                        "named", asked -> asked.name().equals("bad"),
                        "node", asked -> isOnNode(asked));

        /** Cannot be decided without the node. */
        private static boolean isOnNode(ResourceRequest asked) {
            if (asked.fields().isEmpty()) {
                throw new AuthorizerUnavailableException("made so by the test");
            }
            return asked.fields().getFirst().values().contains("n1");
        }

        @Override
        public Decision decide(Caller caller, RequestAttributes request) {
            return request instanceof ResourceRequest asked && RIGHTS.get(caller.name()).test(asked)
                    ? Decision.allowed(() -> "")
                    : Decision.noOpinion(() -> "");
        }

        @Override
        public Standing standing() {
            return new Standing(0, Standing.ANY_EPOCH, Long.MAX_VALUE);
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return () -> {};
        }
    }
}
