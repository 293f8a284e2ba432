package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.credentials.ServerTls;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.http.OpenWatches.Reader;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.Rights;
import io.tidemark.query.watch.WatchPermit;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to open watches, through every door, when a right or an identity ends. */
class WatchRevocationHttpTest {
    private static final String VERBS = "get,list,watch";
    private static final int MANY = 150;

    /** Longer than a machine under load takes. */
    private static final Duration PATIENT = Duration.ofMinutes(1);

    /** For tests of a request that is refused after it. */
    private static final Duration IMPATIENT = Duration.ofSeconds(10);

    @TempDir private Path folder;

    private final MirroredCluster cluster = new MirroredCluster(8, 100);
    private final Rights rights = new Rights(cluster);
    private final FakeCallers callers = new FakeCallers().with("ann").with("bob").with("key");
    private TestCertificates tls;
    private String namespace = "";
    private int rules;
    private QueryNodeFixture fixture;
    private HttpClientForTests client;

    @BeforeEach
    void start() throws Exception {
        tls = new TestCertificates(folder);
        int number = 0;
        int pods;
        do {
            namespace = "ns-" + number++;
            rules = cluster.partitionOf("/registry/rolebindings/" + namespace + "/");
            pods = cluster.partitionOf("/registry/pods/" + namespace + "/");
        } while (rules == pods);
        for (String user : List.of("ann", "bob")) {
            rights.grant(user, namespace, VERBS, "pods");
            rights.grantPaths(user, "get", "/kv/*");
        }
        rights.grant("key", namespace, VERBS, "pods");
        rights.grantPaths("key", "get", "/metrics");
        start(PATIENT, PATIENT);
    }

    /**
     * @param patience longest wait of a request for the rules
     * @param grace for a client that reads the reason of the end slowly
     */
    private void start(Duration patience, Duration grace) throws IOException {
        fixture =
                new QueryNodeFixture(
                        cluster,
                        config ->
                                config.withTls(server())
                                        .withTimes(
                                                config.times()
                                                        .withFreshness(patience)
                                                        .withWatchGrace(grace))
                                        .withAccess(callers.underMirroredRules()));
        client =
                new HttpClientForTests(
                        new TestHttpClient(
                                fixture.url,
                                HttpClient.newBuilder().sslContext(tls.anonymous()).build()));
    }

    private ServerTls server() {
        try {
            return tls.server();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() {
        client.close();
        fixture.close();
    }

    private String pods(String query) {
        return "/api/v1/namespaces/%s/pods?watch=1%s".formatted(namespace, query);
    }

    private String keys(String query) {
        return "/kv/registry/pods/%s/?watch=1%s".formatted(namespace, query);
    }

    private Reader open(OpenWatches door, String path, String user) throws Exception {
        return door.open(fixture, tls, path, user);
    }

    private long revoke(String user) {
        return rights.revoke(user, namespace, VERBS, "pods");
    }

    private long pod(String name) {
        return cluster.pod(namespace, name, Map.of());
    }

    private Answer get(String path, String user) throws Exception {
        return client.get(path, "Authorization", "Bearer " + user);
    }

    private int metric(String name) throws Exception {
        return get("/metrics", "key")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private int ended(String reason) throws Exception {
        return metric("tidemark_watches_ended_total{reason=\"%s\"}".formatted(reason));
    }

    private static long revision(JsonNode event) {
        JsonNode object = event.path("object");
        String version = object.path("metadata").path("resourceVersion").asText();
        return version.isEmpty() ? event.path("mod_revision").asLong() : Long.parseLong(version);
    }

    /** The events until the error, which must be the last line. */
    private static List<JsonNode> untilError(Reader watch, int code) throws Exception {
        List<JsonNode> events = new ArrayList<>();
        JsonNode event = watch.next();
        while (event.path("type").asText().matches("ADDED|MODIFIED|DELETED|BOOKMARK|PUT")) {
            events.add(event);
            event = watch.next();
        }
        assertThat(event.path("type").asText()).as(event.toString()).isEqualTo("ERROR");
        assertThat(event.path("object").path("code").asInt()).isEqualTo(code);
        assertThat(watch.next().isMissingNode()).isTrue();
        return events;
    }

    static Stream<Arguments> doors() {
        return Stream.of(OpenWatches.values())
                .flatMap(door -> Stream.of(Arguments.of(door, false), Arguments.of(door, true)));
    }

    @ParameterizedTest
    @MethodSource("doors")
    void endsAQuietWatchInTheWordsOfAFreshRequest(OpenWatches door, boolean kv) throws Exception {
        String path = kv ? keys("") : pods("");
        try (Reader watch = open(door, path, "ann");
                Reader other = open(door, path, "bob")) {
            pod("first");
            assertThat(watch.next().path("type").asText()).isNotEqualTo("ERROR");
            assertThat(other.next().path("type").asText()).isNotEqualTo("ERROR");
            revoke("ann");
            JsonNode error = watch.next();
            assertThat(error.path("type").asText()).isEqualTo("ERROR");
            Answer fresh = get(path, "ann");
            assertThat(fresh.status()).isEqualTo(403);
            assertThat(error.path("object")).isEqualTo(fresh.json());
            assertThat(watch.next().isMissingNode()).isTrue();
            pod("second");
            JsonNode goesOn = other.next();
            assertThat(goesOn.toString()).contains("second");
            assertThat(ended("revoked")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("doors")
    void deliversNothingLaterThanTheRevocation(OpenWatches door, boolean kv) throws Exception {
        AtomicBoolean writing = new AtomicBoolean(true);
        Thread writer =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; writing.get(); i++) {
                                pod("p" + i % 20);
                                LockSupport.parkNanos(200_000); // Other tests need the cores.
                            }
                        });
        try (Reader watch = open(door, kv ? keys("") : pods(""), "ann")) {
            for (int i = 0; i < 200; i++) {
                assertThat(watch.next().path("type").asText()).isNotEqualTo("ERROR");
            }
            long revoked = revoke("ann");
            List<JsonNode> rest = untilError(watch, 403);
            assertThat(rest).allMatch(event -> revision(event) < revoked);
        } finally {
            writing.set(false);
            writer.join();
        }
    }

    /** While rules lag, what comes is held; then nothing of it may be sent. */
    @ParameterizedTest
    @MethodSource("doors")
    void sendsNothingThatTheRulesDoNotCover(OpenWatches door, boolean kv) throws Exception {
        try (Reader watch = open(door, kv ? keys("") : pods(""), "ann");
                Reader other = open(door, kv ? keys("") : pods(""), "bob")) {
            pod("first");
            watch.next();
            other.next();
            cluster.holdBack(rules, true);
            revoke("ann");
            pod("secret-plan");
            cluster.holdBack(rules, false);
            assertThat(untilError(watch, 403)).isEmpty();
            assertThat(other.next().toString()).contains("secret-plan");
        }
    }

    @Test
    void sendsWhatItHeldOnceTheRulesAreKnown() throws Exception {
        stop();
        start(IMPATIENT, PATIENT);
        try (Reader watch = open(OpenWatches.STREAM, pods(""), "ann")) {
            pod("first");
            watch.next();
            cluster.holdBack(rules, true);
            CompletableFuture<JsonNode> next =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return watch.next();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    });
            pod("second");
            // A list waits for the same rules, so by its end the event would have come.
            assertThat(get("/api/v1/namespaces/" + namespace + "/pods", "ann").status())
                    .isEqualTo(504);
            assertThat(next).isNotDone();
            cluster.holdBack(rules, false);
            assertThat(next.get(3, TimeUnit.MINUTES).toString()).contains("second");
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsAWatchThatCatchesUp(OpenWatches door) throws Exception {
        pod("first");
        long from = cluster.revision();
        writeMuch();
        mayReadThePast();
        try (Reader watch = open(door, pods("&resourceVersion=" + from), "ann")) {
            assertThat(watch.next().path("type").asText()).isEqualTo("ADDED");
            long revoked = revoke("ann");
            writeMuch();
            // The client reads only now, and perhaps too late for the error.
            await().until(() -> ended("revoked") == 1);
            List<JsonNode> events = new ArrayList<>();
            try {
                JsonNode event = watch.next();
                while (!event.isMissingNode()) {
                    events.add(event);
                    event = watch.next();
                }
            } catch (IOException _) {
                // Reset.
            }
            assertThat(events.stream().filter(event -> event.path("type").asText().equals("ADDED")))
                    .allMatch(event -> revision(event) < revoked);
            awaitWatches(0);
        }
    }

    private void awaitWatches(int count) {
        await().ignoreExceptions().until(() -> metric("apiserver_registered_watchers") == count);
    }

    @Test
    void endsAWaitingLongPoll() throws Exception {
        pod("first");
        CompletableFuture<Answer> poll = poll(pods("&longPoll=true&timeoutSeconds=300"), "ann");
        CompletableFuture<Answer> keys = poll(keys("&longPoll=true&timeoutSeconds=300"), "ann");
        CompletableFuture<Answer> other = poll(pods("&longPoll=true&timeoutSeconds=300"), "bob");
        awaitWatches(3);
        revoke("ann");
        assertThat(poll.get(3, TimeUnit.MINUTES).status()).isEqualTo(403);
        assertThat(keys.get(3, TimeUnit.MINUTES).status()).isEqualTo(403);
        pod("second");
        assertThat(other.get(3, TimeUnit.MINUTES).text()).contains("second");
    }

    @Test
    void endsALongPollOfAnEndedIdentity() throws Exception {
        pod("first");
        CompletableFuture<Answer> poll = poll(pods("&longPoll=true&timeoutSeconds=300"), "ann");
        awaitWatches(1);
        callers.remove("ann");
        assertThat(poll.get(3, TimeUnit.MINUTES).status()).isEqualTo(401);
    }

    @Test
    void answersNoLongPollBeforeTheRulesAreKnown() throws Exception {
        stop();
        start(IMPATIENT, PATIENT);
        pod("first");
        CompletableFuture<Answer> poll = poll(pods("&longPoll=true&timeoutSeconds=300"), "ann");
        awaitWatches(1);
        cluster.holdBack(rules, true);
        revoke("ann");
        pod("secret-plan");
        Answer late = poll.get(3, TimeUnit.MINUTES);
        assertThat(late.status()).isEqualTo(504);
        assertThat(late.text()).doesNotContain("secret-plan");
    }

    private CompletableFuture<Answer> poll(String path, String user) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return get(path, user);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void endsWatchesOfARemovedToken(OpenWatches door) throws Exception {
        try (Reader watch = open(door, pods(""), "ann");
                Reader other = open(door, pods(""), "bob")) {
            pod("first");
            watch.next();
            other.next();
            callers.remove("ann");
            assertThat(untilError(watch, 401)).isEmpty();
            pod("second");
            assertThat(other.next().toString()).contains("second");
            assertThat(ended("expired")).isEqualTo(1);
        }
    }

    @Test
    void endsWatchesOfAnExpiredToken() throws Exception {
        callers.with("eve").until("eve", cluster.clock().instant().plusSeconds(2));
        rights.grant("eve", namespace, VERBS, "pods");
        client.awaitAllowed("eve", list(namespace));
        try (Reader watch = open(OpenWatches.STREAM, pods(""), "eve")) {
            pod("first");
            watch.next();
            cluster.advance(Duration.ofSeconds(3));
            assertThat(untilError(watch, 401)).isEmpty();
        }
    }

    @Test
    void endsAWatchOfThePastWithTheRightToIt() throws Exception {
        rights.grant("ann", namespace, "history", "pods");
        pod("first");
        long from = cluster.revision();
        for (int i = 0; i < 7; i++) {
            cluster.advance(Duration.ofMinutes(1));
            pod("p" + i);
        }
        client.awaitAllowed("ann", listAt(from));
        try (Reader watch = open(OpenWatches.STREAM, pods("&resourceVersion=" + from), "ann");
                Reader present = open(OpenWatches.STREAM, pods(""), "ann")) {
            for (int i = 0; i < 7; i++) {
                assertThat(watch.next().path("type").asText()).isEqualTo("ADDED");
                present.next();
            }
            present.next();
            rights.revoke("ann", namespace, "history", "pods");
            assertThat(untilError(watch, 403)).isEmpty();
            pod("last");
            assertThat(present.next().toString()).contains("last");
        }
    }

    /** Either the watch ends, or it misses nothing. */
    @Test
    void losesNothingWhenABindingComesBack() throws Exception {
        try (Reader watch = open(OpenWatches.STREAM, pods(""), "ann")) {
            pod("first");
            watch.next();
            for (int i = 0; i < 20; i++) {
                revoke("ann");
                pod("between-" + i);
                rights.grant("ann", namespace, VERBS, "pods");
                pod("after-" + i);
            }
            int next = 0;
            JsonNode event = watch.next();
            while (next < 40 && !event.path("type").asText().equals("ERROR")) {
                String name = (next % 2 == 0 ? "between-" : "after-") + next / 2;
                assertThat(event.path("object").path("metadata").path("name").asText())
                        .isEqualTo(name);
                next++;
                event = next < 40 ? watch.next() : event;
            }
        }
        try (Reader again = open(OpenWatches.STREAM, pods("&resourceVersion=0"), "ann")) {
            assertThat(again.next().path("type").asText()).isEqualTo("ADDED");
        }
    }

    static Stream<Arguments> blockedWatches() {
        return Stream.of(OpenWatches.values())
                .flatMap(door ->
                        Stream.of("", "&resourceVersion=FROM", "&resourceVersion=NOW")
                                .map(start -> Arguments.of(door, start)));
    }

    /** Blocked in the initial events, in what it lacks, or in live events. */
    @ParameterizedTest
    @MethodSource("blockedWatches")
    void breaksOffAWatchThatDoesNotRead(OpenWatches door, String start) throws Exception {
        stop();
        start(PATIENT, WatchPermit.GRACE);
        mayReadThePast();
        pod("first");
        long from = cluster.revision();
        boolean live = start.endsWith("NOW");
        if (!live) {
            writeMuch();
        }
        String path = pods(start.replace("FROM", "" + from).replace("NOW", "" + from));
        try (Reader _ = open(door, path, "ann");
                Reader other = open(OpenWatches.STREAM, pods("&resourceVersion=" + from), "bob")) {
            if (live) {
                writeMuch();
            }
            for (int i = 0; i < MANY; i++) {
                other.next();
            }
            revoke("ann");
            awaitWatches(1);
            pod("last");
            assertThat(other.next().toString()).contains("last");
            assertThat(ended("revoked")).isEqualTo(1);
        }
    }

    /** The clock does not move, so which states are recent is not known. */
    private void mayReadThePast() {
        long past = cluster.revision();
        for (String user : List.of("ann", "bob")) {
            rights.grant(user, namespace, "history", "pods");
            client.awaitAllowed(user, listAt(past));
        }
    }

    private static String list(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    private String listAt(long revision) {
        return list(namespace) + "?resourceVersionMatch=Exact&resourceVersion=" + revision;
    }

    /** More than the buffers of two sockets hold. */
    private void writeMuch() {
        String note = "n".repeat(200_000);
        for (int i = 0; i < MANY; i++) {
            String name = "p" + i;
            cluster.put(
                    "/registry/pods/" + namespace + "/" + name,
                    at -> Json.pod(namespace, name, at, Map.of(), "", note));
        }
    }

    /** The streams of one connection of HTTP/2 are independent. */
    @Test
    void resetsOnlyTheStreamOfABlockedWatch() throws Exception {
        stop();
        start(PATIENT, WatchPermit.GRACE);
        rights.grant("ann", "other", VERBS, "pods");
        client.awaitAllowed("ann", list("other"));
        try (Watch stalled = client.watch(pods("&resourceVersion=" + cluster.revision()), token());
                Watch good =
                        client.watch(
                                "/api/v1/namespaces/other/pods?watch=1&resourceVersion="
                                        + cluster.revision(),
                                token())) {
            writeMuch();
            revoke("ann");
            awaitWatches(1);
            cluster.pod("other", "fine", Map.of());
            assertThat(good.next().toString()).contains("fine");
        }
    }

    private static String[] token() {
        return new String[] {"Authorization", "Bearer ann"};
    }
}
