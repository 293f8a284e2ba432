package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The joint bounds of a request's selectors. */
class SelectorBoundsHttpTest {
    private static final String BOTH = "labelSelector, fieldSelector and shardSelector have ";

    private static String joined(int count, IntFunction<String> term) {
        return IntStream.range(0, count).mapToObj(term).collect(Collectors.joining("%2C"));
    }

    private static Answer get(String query) throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of("app", "web"));
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster)) {
            return fixture.client.get("/api/v1/pods?" + query);
        }
    }

    private static void refused(String query, String message) throws Exception {
        Answer answer = get(query);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("reason").asText()).isEqualTo("BadRequest");
        assertThat(answer.message()).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&watch=1", "&watch=1&longPoll=1", "&limit=1"})
    void refusesTooManyTerms(String parameters) throws Exception {
        refused(
                "fieldSelector=" + joined(2_900, i -> ".a!=" + i % 10) + parameters,
                BOTH + "2900 terms together; at most 64 are allowed");
    }

    @Test
    void countsTheTermsOfBothSelectorsTogether() throws Exception {
        String labels = "labelSelector=" + joined(32, i -> "a!=" + i);
        assertThat(get(labels + "&fieldSelector=" + joined(32, i -> ".a!=" + i)).names())
                .containsExactly("one");
        refused(
                labels + "&fieldSelector=" + joined(33, i -> ".a!=" + i),
                BOTH + "65 terms together; at most 64 are allowed");
    }

    @Test
    void boundsTheValuesThatTermsCompareWith() throws Exception {
        assertThat(get("labelSelector=app+notin+(" + joined(1_000, i -> "v" + i) + ")").names())
                .containsExactly("one");
        refused(
                "labelSelector=app+notin+(" + joined(1_001, i -> "v" + i) + ")",
                BOTH + "1001 values together; at most 1000 are allowed");
    }

    @Test
    void rangesOfShardsCountAsValues() throws Exception {
        String range = "shardRange(object.metadata.uid,'0x000000000000%04x','0x000000000000%04x')";
        String shard =
                IntStream.range(0, 100)
                        .mapToObj(i -> range.formatted(2 * i, 2 * i + 1))
                        .collect(Collectors.joining("||"));
        String query =
                "&shardSelector="
                        + URLEncoder.encode(shard, StandardCharsets.UTF_8)
                        + "&labelSelector=app+notin+(";
        assertThat(get(query + joined(900, i -> "v" + i) + ")").status()).isEqualTo(200);
        refused(
                query + joined(901, i -> "v" + i) + ")",
                BOTH + "1001 values together; at most 1000 are allowed");
    }

    @Test
    void boundsTheFieldsParsedFromValues() throws Exception {
        String known = "metadata.name%3Done%2Cspec.nodeName!=n%2C";
        assertThat(get("fieldSelector=" + known + joined(8, i -> ".f" + i + "!=x")).names())
                .containsExactly("one");
        refused(
                "fieldSelector=" + known + joined(9, i -> ".f" + i + "!=x"),
                "fieldSelector names 9 fields that are read from the objects' values;"
                        + " at most 8 are allowed");
    }
}
