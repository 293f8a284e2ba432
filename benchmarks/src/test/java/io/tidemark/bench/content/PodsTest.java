package io.tidemark.bench.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.wire.DecodeResult;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PodsTest {
    private final Pods pods = new Pods("/registry/", 10_000, 20, 500);

    private String json(int number, long generation) {
        DecodeResult result =
                new KubernetesDecoder().decode(pods.value(number, generation).array(), 7);
        assertThat(result).isInstanceOf(DecodeResult.Json.class);
        return new String(((DecodeResult.Json) result).json().array(), StandardCharsets.UTF_8);
    }

    @Test
    void areDecodedAsPodsOfTheSizeThatIsMeasuredWith() {
        assertThat(json(4_321, 1))
                .startsWith("{\"kind\":\"Pod\"")
                .contains("\"app\":\"app-43\"", "\"nodeName\":\"node-321\"")
                .contains("\"namespace\":\"bench-1\"", "\"resourceVersion\":\"7\"");
        assertThat(json(4_321, 1).length()).isBetween(10_000, 11_500);
    }

    @Test
    void everyWriteChangesThePod() {
        assertThat(json(1, 1)).isEqualTo(json(1, 1)).isNotEqualTo(json(1, 2));
    }

    @Test
    void aHundredPodsHaveTheSameApp() {
        assertThat(IntStream.range(0, 1_000).mapToObj(pods::app).distinct()).hasSize(10);
        assertThat(IntStream.range(0, 1_000).mapToObj(pods::key).distinct()).hasSize(1_000);
    }
}
