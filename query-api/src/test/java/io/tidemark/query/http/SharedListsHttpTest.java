package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.Answer;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and watches in gzip share compressed parts, and hold what plain ones do. */
class SharedListsHttpTest {
    private static final String MAPS = "/api/v1/configmaps";
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String METADATA =
            PROTOBUF + ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final Random random = new Random(3);
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        for (int i = 0; i < 600; i++) {
            configMap(i);
        }
        fixture = new QueryNodeFixture(cluster, config -> config);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private static String key(int number) {
        return "/registry/configmaps/n%d/map-%04d".formatted(number % 3, number);
    }

    private void configMap(int number) {
        int length = 1 << random.nextInt(13);
        cluster.put(
                key(number),
                at ->
                        """
                        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"map-%04d",\
                        "namespace":"n%d","resourceVersion":"%d","managedFields":[{"manager":"m",\
                        "fieldsV1":{"f:data":{}}}]},"data":{"text":"%s"}}\
                        """
                                .formatted(number, number % 3, at, "n".repeat(length)));
    }

    private Answer get(String path, String accept, String coding) throws Exception {
        try (TestHttpClient client = new TestHttpClient(fixture.url)) {
            return client.get(path, "Accept", accept, "Accept-Encoding", coding);
        }
    }

    private void check(String path, String accept) throws Exception {
        check(path, accept, false);
    }

    private void check(String path, String accept, boolean always) throws Exception {
        Answer gzip = get(path, accept, "gzip");
        assertThat(gzip.status()).isEqualTo(200);
        byte[] plain = get(path, accept, "identity").body();
        boolean compressed = gzip.header("Content-Encoding").equals("gzip");
        assertThat(compressed).isEqualTo(always || plain.length > 128 << 10);
        try (var in =
                compressed
                        ? new GZIPInputStream(new ByteArrayInputStream(gzip.body()))
                        : new ByteArrayInputStream(gzip.body())) {
            assertThat(in.readAllBytes()).as(path).isEqualTo(plain);
        }
    }

    private long parts(String result) throws Exception {
        String counter = "tidemark_gzip_parts_total{result=\"" + result + "\"} ";
        return Arrays.stream(fixture.client.get("/metrics").text().split("\n"))
                .filter(line -> line.startsWith(counter))
                .mapToLong(line -> (long) Double.parseDouble(line.split(" ")[1]))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {JSON, PROTOBUF, METADATA, JSON + ";managedFields=omit"})
    void gzipListsHoldWhatPlainOnesDoWhileObjectsChange(String accept) throws Exception {
        for (int round = 0; round < 12; round++) {
            for (String path :
                    new String[] {
                        MAPS,
                        "/api/v1/namespaces/n1/configmaps",
                        MAPS + "?limit=400",
                        MAPS + "?limit=3",
                        MAPS + "?labelSelector=none",
                        MAPS + "?resourceVersion=500&resourceVersionMatch=Exact"
                    }) {
                check(path, accept);
            }
            for (int i = random.nextInt(4); i >= 0; i--) {
                int number = random.nextInt(620);
                if (random.nextInt(3) == 0) {
                    cluster.delete(Bytes.utf8(key(number)));
                } else {
                    configMap(number);
                }
            }
        }
        assertThat(parts("shared")).isGreaterThan(parts("compressed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                JSON,
                PROTOBUF,
                PROTOBUF + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
                JSON + ";managedFields=omit",
                JSON + ";as=Table;v=v1;g=meta.k8s.io"
            })
    void watchesInGzipBeginWithWhatPlainOnesDo(String accept) throws Exception {
        for (int round = 0; round < 3; round++) {
            for (String from :
                    new String[] {
                        "",
                        "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                                + "&allowWatchBookmarks=true"
                    }) {
                check(MAPS + "?watch=true&timeoutSeconds=1" + from, accept, true);
            }
            configMap(random.nextInt(600));
            cluster.delete(Bytes.utf8(key(random.nextInt(600))));
        }
        boolean ages = accept.contains("Table");
        assertThat(parts("shared") > parts("compressed")).isEqualTo(!ages);
    }

    @Test
    void aWatchAfterAChangeCompressesWhatChanged() throws Exception {
        String watch = MAPS + "?watch=true&timeoutSeconds=1";
        for (String accept : new String[] {JSON, PROTOBUF}) {
            check(watch, accept, true);
            long compressed = parts("compressed");
            check(watch, accept, true);
            assertThat(parts("compressed")).isEqualTo(compressed);
            configMap(300);
            check(watch, accept, true);
            assertThat(parts("compressed")).isBetween(compressed + 1, compressed + 2);
        }
    }

    @Test
    void shortListsAreNotCompressed() throws Exception {
        for (String accept : new String[] {JSON, PROTOBUF, METADATA}) {
            check(MAPS + "?limit=30", accept);
            check("/api/v1/namespaces/n1/configmaps?limit=5", accept);
        }
        assertThat(parts("compressed")).isZero();
    }

    @Test
    void aListAfterAChangeCompressesWhatChanged() throws Exception {
        for (String accept : new String[] {JSON, PROTOBUF}) {
            check(MAPS, accept);
            long compressed = parts("compressed");
            long shared = parts("shared");
            check(MAPS, accept);
            assertThat(parts("compressed")).isEqualTo(compressed);
            assertThat(parts("shared")).isGreaterThan(shared + 5);
            configMap(300);
            check(MAPS, accept);
            assertThat(parts("compressed")).isBetween(compressed + 1, compressed + 2);
        }
    }
}
