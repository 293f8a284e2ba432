package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.testing.ProtobufDocument;
import io.tidemark.kubernetes.testing.ProtobufDocument.Event;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kinds that no schema describes are served in protobuf. Here they are config maps under another
 * name, so that the messages can be read.
 */
class SchemalessHttpTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String VERSION = "shapes.example.com/v1";
    private static final String API = "/apis/" + VERSION;
    private static final String A = API + "/namespaces/a/circles";
    private static final String CIRCLES = "/registry/shapes.example.com/circles/";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        circle("a", "one", "1"); // 101
        circle("a", "two", "ü".repeat(200)); // 102
        circle("b", "three", ""); // 103
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private long circle(String namespace, String name, String text) {
        return put(
                CIRCLES + namespace + "/" + name,
                envelope(VERSION, "Circle", json(namespace, name, text)));
    }

    private long put(String key, byte[] value) {
        return cluster.raw(Bytes.utf8(key), value, "no table for it");
    }

    private static String json(String namespace, String name, String text) {
        return """
        {"metadata":{"name":"%s","namespace":"%s","labels":{"app":"x"}},"data":{"text":"%s"}}\
        """
                .formatted(name, namespace, text);
    }

    private static byte[] envelope(String apiVersion, String kind, String json) {
        return KubernetesEncoder.of("v1", "ConfigMap")
                .orElseThrow()
                .object(apiVersion, kind, json.getBytes(StandardCharsets.UTF_8), 0, 0);
    }

    private Answer get(String path) throws Exception {
        return fixture.client.get(path, "Accept", PROTOBUF);
    }

    private static ProtobufDocument document(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
        return ProtobufDocument.of(answer.response().body());
    }

    /** What it says when it is read as a config map. */
    private static JsonNode read(ProtobufDocument circle) throws Exception {
        return new ProtobufDocument("v1", "ConfigMap", circle.message()).json();
    }

    private static List<String> shown(ProtobufDocument list) throws Exception {
        List<String> shown = new ArrayList<>();
        for (JsonNode item : new ProtobufDocument("v1", "ConfigMapList", list.message()).items()) {
            shown.add(shown(item.path("metadata")));
        }
        return shown;
    }

    private static String shown(JsonNode metadata) {
        return metadata.path("name").asText() + "@" + metadata.path("resourceVersion").asText();
    }

    private static List<String> shown(List<Event> events) throws Exception {
        List<String> shown = new ArrayList<>();
        for (Event event : events) {
            JsonNode metadata = read(event.object()).path("metadata");
            boolean end = metadata.path("annotations").has("k8s.io/initial-events-end");
            shown.add(event.type() + " " + (end ? "END" : "") + shown(metadata));
        }
        return shown;
    }

    @Test
    void objectsAreAsStoredWithTheirResourceVersion() throws Exception {
        ProtobufDocument circle = document(get(A + "/two"));
        assertThat(circle.apiVersion() + " " + circle.kind()).isEqualTo(VERSION + " Circle");
        ObjectNode expected = (ObjectNode) JSON.readTree(json("a", "two", "ü".repeat(200)));
        expected.put("kind", "ConfigMap").put("apiVersion", "v1");
        expected.withObject("/metadata").put("resourceVersion", "102");
        assertThat(read(circle)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                API + "/circles | one@101 two@102 three@103",
                A + " | one@101 two@102",
                API + "/namespaces/none/circles |",
                A + "?fieldSelector=metadata.name=two | two@102",
                API + "/circles?fieldSelector=metadata.namespace=b | three@103",
                API + "/circles?fieldSelector=metadata.namespace=a,metadata.name=one | one@101",
                API + "/circles?limit=2 | one@101 two@102",
                API + "/circles?resourceVersion=102&resourceVersionMatch=Exact | one@101 two@102",
            })
    void listsNameTheirKind(String path, String expected) throws Exception {
        ProtobufDocument list = document(get(path));
        assertThat(list.apiVersion() + " " + list.kind()).isEqualTo(VERSION + " CircleList");
        assertThat(String.join(" ", shown(list))).isEqualTo(expected == null ? "" : expected);
        assertThat(list.listMetadata().containsKey(3L)).isEqualTo(path.contains("limit"));
    }

    @Test
    void pagesGoOn() throws Exception {
        String token = document(get(API + "/circles?limit=2")).listMetadata().get(3L);
        assertThat(shown(document(get(API + "/circles?limit=2&continue=" + token))))
                .containsExactly("three@103");
    }

    @Test
    void watchesAreFrames() throws Exception {
        circle("a", "one", "2"); // 104
        cluster.delete(Bytes.utf8(CIRCLES + "a/two")); // 105
        Answer watch =
                get(A + "?watch=1&resourceVersion=101&timeoutSeconds=1&allowWatchBookmarks=1");
        assertThat(watch.header("Content-Type")).isEqualTo(PROTOBUF + ";stream=watch");
        assertThat(shown(ProtobufDocument.events(watch.response().body()).subList(0, 3)))
                .containsExactly("ADDED two@102", "MODIFIED one@104", "DELETED two@105");
    }

    @Test
    void initialEventsEndWithABookmark() throws Exception {
        Answer watch =
                get(
                        A
                                + "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
                                + "&resourceVersionMatch=NotOlderThan&timeoutSeconds=1");
        assertThat(shown(ProtobufDocument.events(watch.response().body()).subList(0, 3)))
                .containsExactly("ADDED one@101", "ADDED two@102", "BOOKMARK END@103");
    }

    @Test
    void metadataIsServedAlone() throws Exception {
        String partial = PROTOBUF + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
        ProtobufDocument one = document(fixture.client.get(A + "/one", "Accept", partial));
        assertThat(one.apiVersion() + " " + one.kind())
                .isEqualTo("meta.k8s.io/v1 PartialObjectMetadata");
        assertThat(shown(one.json().path("metadata"))).isEqualTo("one@101");
        assertThat(read(one).has("data")).isFalse();

        ProtobufDocument list =
                document(
                        fixture.client.get(
                                A, "Accept", partial.replace("Metadata;", "MetadataList;")));
        assertThat(list.kind()).isEqualTo("PartialObjectMetadataList");
        assertThat(shown(list)).containsExactly("one@101", "two@102");
    }

    /** A built-in kind of a newer release: its directory does not name the group. */
    @Test
    void newKindsOfKnownGroupsAreFound() throws Exception {
        put(
                "/registry/pulleys/heavy",
                envelope("apps/v1", "Pulley", json("", "heavy", "5"))); // 104
        assertThat(shown(document(get("/apis/apps/v1/pulleys")))).containsExactly("heavy@104");
        assertThat(document(get("/apis/apps/v1/pulleys/heavy")).kind()).isEqualTo("Pulley");
        assertThat(get("/apis/apps/v1/namespaces/a/pulleys").status()).isEqualTo(404);
        assertThat(get("/apis/batch/v1/pulleys").status()).isEqualTo(404);
        assertThat(get("/apis/apps/v2/pulleys").status()).isEqualTo(404);
    }

    @Test
    void onlyTheRequestedVersionIsServed() throws Exception {
        String old = "shapes.example.com/v1beta1";
        put(CIRCLES + "a/old", envelope(old, "Circle", json("a", "old", ""))); // 104
        put(CIRCLES + "a/square", envelope(VERSION, "Square", json("a", "square", "")));
        assertThat(shown(document(get(A)))).containsExactly("one@101", "two@102");
        assertThat(get(A + "/old").status()).isEqualTo(404);
        assertThat(shown(document(get("/apis/" + old + "/circles")))).containsExactly("old@104");
    }

    @Test
    void aKindExistsWhileItHasAnObject() throws Exception {
        for (String name : List.of("a/one", "a/two", "b/three")) {
            assertThat(get(A).status()).isEqualTo(200);
            cluster.delete(Bytes.utf8(CIRCLES + name));
        }
        assertThat(get(A).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/yaml",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                PROTOBUF + ";as=Table;v=v1;g=meta.k8s.io"
            })
    void otherFormsAreRefused(String accept) throws Exception {
        Answer answer = fixture.client.get(A, "Accept", accept);
        assertThat(answer.status()).isEqualTo(406);
        assertThat(answer.text())
                .contains("only the following media types are accepted: " + PROTOBUF);
        assertThat(fixture.client.get(A, "Accept", accept + ",*/*").status()).isEqualTo(200);
    }

    @Test
    void documentsOfTextAreRefused() throws Exception {
        assertThat(get(A + "/one?history=true").status()).isEqualTo(406);
        assertThat(get(A + "?watch=1&longPoll=1").status()).isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "labelSelector=app=x",
                "fieldSelector=.data.text=1",
                "fieldSelector=metadata.name!=one",
                "fieldSelector=metadata.namespace=b",
                "fieldSelector=metadata.name=one,metadata.name!=two",
                "shardSelector=shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000')"
            })
    void selectorsThatNeedASchemaAreRefused(String query) throws Exception {
        for (String path : List.of(A + "?" + query, A + "?watch=1&" + query)) {
            Answer answer = fixture.client.get(path, "Accept", PROTOBUF + ",application/json");
            assertThat(answer.status()).as(path).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource({"POST, circles", "PUT, circles/one", "DELETE, circles/one", "PATCH, circles/one"})
    void writesAreRefused(String method, String path) throws Exception {
        assertThat(fixture.client.send(method, API + "/namespaces/a/" + path).status())
                .isEqualTo(405);
    }

    @Test
    void whatIsMalformedIsLeftOut() throws Exception {
        byte[] good = envelope(VERSION, "Circle", json("a", "cut", "12345"));
        put(CIRCLES + "a/cut", Arrays.copyOf(good, good.length - 8));
        put(CIRCLES + "a/empty", envelope(VERSION, "Circle", "{}"));
        put(CIRCLES + "a/twice", twice(json("a", "twice", "")));
        put(CIRCLES + "a/text", "hello".getBytes(StandardCharsets.UTF_8));
        put(CIRCLES + "a/none", new byte[0]);
        assertThat(shown(document(get(A)))).containsExactly("one@101", "two@102");
        for (String name : List.of("cut", "twice", "text", "none")) {
            assertThat(get(A + "/" + name).status()).as(name).isEqualTo(404);
        }
    }

    private static byte[] twice(String json) {
        KubernetesEncoder encoder = KubernetesEncoder.of("v1", "ConfigMap").orElseThrow();
        ProtobufWriter out = new ProtobufWriter(100);
        int raw = Envelope.open(VERSION, "Circle", out);
        encoder.message(json.getBytes(StandardCharsets.UTF_8), 0, 0, out);
        encoder.message(json.getBytes(StandardCharsets.UTF_8), 0, 0, out);
        Envelope.close(raw, out);
        return out.toByteArray();
    }

    /** Its key says that it may be a Secret, so its value is as secret as one. */
    @Test
    void nothingOfTheSecretsDirectoryIsServed() throws Exception {
        put(
                "/registry/secrets/a/token",
                envelope("shapes.example.com/v1", "Token", json("a", "token", "secret")));
        assertThat(get(API + "/namespaces/a/secrets").status()).isEqualTo(404);
        assertThat(get(API + "/namespaces/a/secrets/token").status()).isEqualTo(404);
    }

    /** A known kind is never served from its envelope, even where its JSON is missing. */
    @Test
    void knownKindsKeepTheirErrors() throws Exception {
        put("/registry/configmaps/a/x", envelope("v1", "ConfigMap", json("a", "x", "")));
        Answer answer =
                fixture.client.get(
                        "/api/v1/namespaces/a/configmaps/x", "Accept", "application/json");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(get("/apis/example.com/v1/configmaps").status()).isEqualTo(404);
    }
}
