package io.tidemark.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.harness.JsonDifferences;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.Answer;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The main requests on a small state, with answers written by hand from the documented rules: what
 * the recordings of a real cluster check in the large, for a clone that has none.
 */
class WrittenCasesIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static @Nullable TestEtcd etcd;
    private static @Nullable TidemarkProcess tidemark;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        TestEtcd begun = new TestEtcd(folder.resolve("etcd"));
        etcd = begun;
        for (JsonNode row : rows("objects.json")) {
            Bytes key = Bytes.utf8(row.path("key").asText());
            write(begun.client(), key, row);
            assertThat(begun.client().revision(key)).isEqualTo(row.path("revision").asLong());
        }
        tidemark = TidemarkProcess.up(folder.resolve("data"), begun.endpoint());
    }

    private static void write(EtcdClient to, Bytes key, JsonNode row) {
        if (row.has("value")) {
            long _ = to.put(key, Bytes.utf8(row.path("value").toString()));
        } else if (row.has("text")) {
            long _ = to.put(key, Bytes.utf8(row.path("text").asText()));
        } else {
            assertThat(to.delete(key)).isTrue();
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (tidemark != null) {
            tidemark.close();
        }
        if (etcd != null) {
            etcd.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> answers() throws IOException {
        TestHttpClient http = Objects.requireNonNull(tidemark).api().http();
        return StreamSupport.stream(rows("requests.json").spliterator(), false)
                .map(row ->
                        DynamicTest.dynamicTest(
                                row.path("name").asText(), () -> checkAnswer(http, row)));
    }

    private static void checkAnswer(TestHttpClient http, JsonNode row) throws Exception {
        HttpRequest.Builder request = http.request(row.path("path").asText());
        if (row.has("accept")) {
            request.header("Accept", row.path("accept").asText());
        }
        Answer answer = http.send(request);
        assertThat(answer.status()).as(answer.text()).isEqualTo(row.path("status").asInt());
        if (row.has("body")) {
            JsonNode body = JSON.readTree(answer.text());
            assertThat(JsonDifferences.between(row.path("body"), body)).as(answer.text()).isEmpty();
        }
        if (row.has("lines")) {
            ArrayNode lines = JSON.createArrayNode();
            for (String line : answer.text().lines().toList()) {
                lines.add(JSON.readTree(line));
            }
            assertThat(JsonDifferences.between(row.path("lines"), lines))
                    .as(answer.text())
                    .isEmpty();
        }
    }

    private static JsonNode rows(String file) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        WrittenCasesIT.class.getResourceAsStream("/written/" + file))) {
            return JSON.readTree(in);
        }
    }
}
