package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.SocketForTests;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the watch guarantees against a client's recording, made during random changes and repeated
 * resumes: ordered, unique, reliable, resumable, bookmarkable.
 */
class WatchGuaranteesHttpTest {
    private static final int CHANGES = 300;
    private static final String[] NAMESPACES = {"a", "b", "c", "d"};

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        fixture =
                new QueryNodeFixture(
                        cluster,
                        c -> c.withTimes(c.times().withBookmarkInterval(Duration.ofMillis(20))));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    /** An event as the client saw it; a bookmark has no name. */
    private record Seen(String shown, String type, String name, long revision) {
        static Seen of(JsonNode event) {
            JsonNode metadata = event.path("object").path("metadata");
            return new Seen(
                    Watch.shown(event),
                    event.path("type").asText(),
                    metadata.path("namespace").asText() + "/" + metadata.path("name").asText(),
                    metadata.path("resourceVersion").asLong());
        }

        boolean isBookmark() {
            return type.equals("BOOKMARK");
        }
    }

    /** A source of events. */
    private interface Source extends AutoCloseable {
        JsonNode next() throws Exception;
    }

    private Source open(String transport, long after) throws Exception {
        String path =
                "/api/v1/pods?watch=1&allowWatchBookmarks=true&resourceVersion="
                        + after
                        + "&labelSelector=app%3Dx";
        if (transport.equals("stream")) {
            Watch watch = fixture.client.watch(path);
            return new Source() {
                @Override
                public JsonNode next() throws Exception {
                    return watch.next();
                }

                @Override
                public void close() throws Exception {
                    watch.close();
                }
            };
        }
        SocketForTests socket = new SocketForTests(fixture.url, path, List.of());
        return new Source() {
            @Override
            public JsonNode next() throws Exception {
                return socket.next();
            }

            @Override
            public void close() {
                socket.close();
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "stream"})
    void keepsTheGuarantees(String transport) throws Exception {
        List<String> expected = new ArrayList<>();
        Thread writer = Thread.ofVirtual().start(() -> expected.addAll(change(new Random(17))));
        List<Seen> report = record(transport, new Random(4));
        writer.join();

        assertOrderedAndBookmarkable(report);
        assertUnique(report);
        assertThat(report.stream().filter(seen -> !seen.isBookmark()).map(Seen::shown))
                .containsExactlyElementsOf(expected);
    }

    /** Makes changes; returns the events of objects that have or had the label. */
    private List<String> change(Random random) {
        Set<String> labelled = new HashSet<>();
        List<String> events = new ArrayList<>();
        for (int i = 0; i < CHANGES; i++) {
            String namespace = NAMESPACES[random.nextInt(NAMESPACES.length)];
            String name = "p" + random.nextInt(5);
            String key = namespace + "/" + name;
            boolean had = labelled.contains(key);
            boolean has = random.nextInt(3) > 0;
            boolean delete = !has && random.nextBoolean();
            long revision =
                    delete
                            ? cluster.delete(MirroredCluster.podKey(namespace, name))
                            : cluster.pod(namespace, name, Map.of("app", has ? "x" : "y"));
            if (has) {
                labelled.add(key);
                events.add((had ? "MODIFIED " : "ADDED ") + name + "@" + revision);
            } else if (labelled.remove(key)) {
                events.add("DELETED " + name + "@" + revision);
            }
            Thread.yield();
        }
        long end = cluster.pod("z", "end", Map.of("app", "x"));
        events.add("ADDED end@" + end);
        return events;
    }

    private List<Seen> record(String transport, Random random) throws Exception {
        List<Seen> report = new ArrayList<>();
        long after = 100;
        while (true) {
            try (Source source = open(transport, after)) {
                for (int left = 1 + random.nextInt(60); left > 0; left--) {
                    Seen seen = Seen.of(source.next());
                    report.add(seen);
                    after = seen.revision();
                    if (seen.shown().startsWith("ADDED end@")) {
                        return report;
                    }
                }
            }
        }
    }

    private static void assertOrderedAndBookmarkable(List<Seen> report) {
        long newest = 100;
        for (Seen seen : report) {
            if (seen.isBookmark()) {
                assertThat(seen.revision()).as(seen.shown()).isGreaterThanOrEqualTo(newest);
            } else {
                assertThat(seen.revision()).as(seen.shown()).isGreaterThan(newest);
            }
            newest = seen.revision();
        }
    }

    private static void assertUnique(List<Seen> report) {
        Set<String> once = new HashSet<>();
        for (Seen seen : report) {
            assertThat(seen.isBookmark() || once.add(seen.name() + "@" + seen.revision()))
                    .as(seen.shown())
                    .isTrue();
        }
    }
}
