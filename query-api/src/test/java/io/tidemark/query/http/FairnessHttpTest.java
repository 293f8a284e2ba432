package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.seats.SeatLimits;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.Rights;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users share a node by name, also when all of them come from one address. Three of the tests wait
 * until a read's time is over.
 */
@Execution(ExecutionMode.CONCURRENT)
class FairnessHttpTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String PODS = "/api/v1/namespaces/blue/pods";

    /** Waits for a state that does not come. */
    private static final String BLOCKED = PODS + "?resourceVersion=999999";

    private final MirroredCluster cluster = new MirroredCluster(4, 100);

    @BeforeEach
    void start() {
        cluster.pod("blue", "mine", Map.of());
        Rights rights = new Rights(cluster);
        rights.grant("ann", "blue", "get,list,watch", "pods");
        rights.grant("bob", "blue", "get,list,watch", "pods");
    }

    private QueryNodeFixture node(SeatLimits seats, int watches) {
        FakeCallers callers =
                new FakeCallers().with("ann").with("bob").with("root", "system:masters");
        return new QueryNodeFixture(
                cluster,
                config -> limited(config, seats, watches).withAccess(callers.underMirroredRules()));
    }

    private static QueryConfig limited(QueryConfig config, SeatLimits seats, int watches) {
        return config.withLimits(config.limits().withSeats(seats).withWatchesPerClient(watches))
                .withTimes(config.times().withFreshness(Duration.ofSeconds(20)));
    }

    private static Answer as(QueryNodeFixture node, String name, String path) throws Exception {
        return node.client.get(path, "Authorization", "Bearer " + name);
    }

    private static void awaitTaken(QueryNodeFixture node, int seats) {
        Awaitility.await()
                .until(() ->
                        as(node, "root", "/metrics")
                                .text()
                                .contains("tidemark_seats_taken " + seats + ".0"));
    }

    @Test
    void aUserWithAllOfItsSeatsIsRefusedAndOthersAreServed() throws Exception {
        SeatLimits limits = new SeatLimits(8, 2, 8, 1, Duration.ofMillis(50));
        try (QueryNodeFixture node = node(limits, 100);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> blocked = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                blocked.add(threads.submit(() -> as(node, "ann", BLOCKED)));
            }
            awaitTaken(node, 2);

            Answer refused = as(node, "ann", PODS);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(as(node, "bob", PODS).status()).isEqualTo(200);
            assertThat(as(node, "ann", "/livez").status()).isEqualTo(200);
            assertThat(as(node, "root", "/metrics").text())
                    .contains("tidemark_seats_refused_total 1.0");
            // Before it is authorized: the answer says nothing about rights.
            assertThat(as(node, "ann", "/api/v1/secrets").status()).isEqualTo(429);

            for (Future<Answer> each : blocked) {
                assertThat(each.get(SOON.toSeconds(), TimeUnit.SECONDS).status()).isEqualTo(504);
            }
            assertThat(as(node, "ann", PODS).status()).isEqualTo(200);
        }
    }

    @Test
    void watchesTakeNoSeatsAndAreCountedByUser() throws Exception {
        SeatLimits limits = new SeatLimits(1, 1, 0, 0, Duration.ofMillis(50));
        try (QueryNodeFixture node = node(limits, 2);
                Watch first = node.client.watch(PODS + "?watch=1", "Authorization", "Bearer ann");
                Watch second = node.client.watch(PODS + "?watch=1", "Authorization", "Bearer ann");
                Watch third = node.client.watch(PODS + "?watch=1", "Authorization", "Bearer ann");
                Watch other = node.client.watch(PODS + "?watch=1", "Authorization", "Bearer bob")) {
            assertThat(first.status()).isEqualTo(200);
            assertThat(second.status()).isEqualTo(200);
            assertThat(third.status()).isEqualTo(429);
            assertThat(other.status()).isEqualTo(200);
            assertThat(as(node, "ann", PODS).status()).isEqualTo(200);
        }
    }

    @Test
    void withoutALoginAnAddressIsTheUser() throws Exception {
        SeatLimits limits = new SeatLimits(4, 1, 0, 0, Duration.ofMillis(50));
        try (QueryNodeFixture node =
                        new QueryNodeFixture(cluster, config -> limited(config, limits, 100));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> blocked = threads.submit(() -> node.client.get(BLOCKED));
            awaitTaken(node, 1);
            assertThat(node.client.get(PODS).status()).isEqualTo(429);
            assertThat(blocked.get(SOON.toSeconds(), TimeUnit.SECONDS).status()).isEqualTo(504);
        }
    }

    @Test
    void aListOfManyBytesTakesMoreSeatsTheNextTime() throws Exception {
        for (int i = 0; i < 40; i++) {
            cluster.pod("blue", "large-" + i, Map.of("a", "b", "filler", "x".repeat(10_000)));
        }
        takesMoreSeatsTheNextTime(PODS, BLOCKED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"history=false", "history=true"})
    void aLargeObjectTakesMoreSeatsTheNextTime(String query) throws Exception {
        cluster.pod("blue", "large", Map.of("a", "b", "filler", "x".repeat(400_000)));
        new Rights(cluster).grant("ann", "blue", "get,history", "pods");
        String path = PODS + "/large?" + query;
        takesMoreSeatsTheNextTime(path, path + "&resourceVersion=999999");
    }

    /**
     * @param blocked the like, for a state that does not come
     */
    private void takesMoreSeatsTheNextTime(String path, String blocked) throws Exception {
        SeatLimits limits = new SeatLimits(80, 20, 8, 8, Duration.ofSeconds(20));
        try (QueryNodeFixture node = node(limits, 100);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(as(node, "ann", path).status()).isEqualTo(200);
            Future<Answer> waiting = threads.submit(() -> as(node, "ann", blocked));
            Awaitility.await()
                    .until(() ->
                            as(node, "root", "/metrics")
                                    .text()
                                    .lines()
                                    .filter(line -> line.startsWith("tidemark_seats_taken "))
                                    .anyMatch(line -> Double.parseDouble(line.split(" ")[1]) >= 4));
            assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).status()).isEqualTo(504);
        }
    }
}
