package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.testing.ProtobufDocument;
import io.tidemark.kubernetes.testing.ProtobufDocument.Event;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses in protobuf hold what those in JSON do. */
@ParameterizedClass
@EnumSource(KeptForms.class)
class ProtobufHttpTest {
    private static final String A = "/api/v1/namespaces/a/configmaps";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String METADATA_LIST = ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    /** As client-go asks for built-in kinds. */
    private static final String EITHER = PROTOBUF + ",application/json";

    private final KeptForms kept;
    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    ProtobufHttpTest(KeptForms kept) {
        this.kept = kept;
    }

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(2, 100, kept.settings());
        configMap("a", "one", "x", "1"); // 101
        configMap("a", "two", "y", "ü \\\"quoted\\\"\\n"); // 102
        configMap("b", "three", "y", ""); // 103
        fixture = new QueryNodeFixture(cluster);
    }

    private void configMap(String namespace, String name, String app, String text) {
        cluster.put(
                "/registry/configmaps/%s/%s".formatted(namespace, name),
                at ->
                        """
                        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s",\
                        "labels":{"app":"%s"},"resourceVersion":"%d"},"data":{"text":"%s"}}\
                        """
                                .formatted(name, namespace, app, at, text));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer get(String path, String accept) throws Exception {
        return fixture.client.get(path, "Accept", accept);
    }

    private static ProtobufDocument document(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
        return ProtobufDocument.of(answer.response().body());
    }

    /** Items of a list, which do not repeat their kind in JSON. */
    private static List<JsonNode> items(Answer json) {
        List<JsonNode> items = new ArrayList<>();
        json.json().path("items").forEach(items::add);
        return items;
    }

    private static List<JsonNode> withoutKind(List<JsonNode> objects) {
        objects.forEach(object -> ((ObjectNode) object).remove(List.of("kind", "apiVersion")));
        return objects;
    }

    @ParameterizedTest
    @ValueSource(strings = {PROTOBUF, EITHER})
    void objectsAreThoseOfTheJson(String accept) throws Exception {
        ProtobufDocument pod = document(get(A + "/one", accept));
        assertThat(pod.kind()).isEqualTo("ConfigMap");
        assertThat(pod.json()).isEqualTo(get(A + "/one", "application/json").json());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/configmaps",
                A,
                "/api/v1/configmaps?labelSelector=app%3Dy",
                "/api/v1/configmaps?limit=2",
                "/api/v1/configmaps?resourceVersion=102&resourceVersionMatch=Exact",
                "/api/v1/namespaces/none/configmaps"
            })
    void listsAreThoseOfTheJson(String path) throws Exception {
        ProtobufDocument list = document(get(path, EITHER));
        Answer json = get(path, "application/json");
        assertThat(list.kind()).isEqualTo("ConfigMapList");
        assertThat(withoutKind(list.items())).isEqualTo(items(json));
        assertThat(list.listMetadata().getOrDefault(2L, "")).isEqualTo(json.resourceVersion());
        assertThat(list.listMetadata().getOrDefault(3L, "")).isEqualTo(json.continueToken());
        assertThat(list.listMetadata().getOrDefault(4L, ""))
                .isEqualTo(json.json().at("/metadata/remainingItemCount").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {A + "/one", A, "/api/v1/configmaps?limit=2"})
    void keptMessagesAreCopied(String path) throws Exception {
        assertThat(get(path, PROTOBUF).text().contains(KeptForms.MARK))
                .isEqualTo(kept == KeptForms.PROTOBUF_TOO);
        assertThat(get(path, PROTOBUF + ";drop=metadata.managedFields").text())
                .doesNotContain(KeptForms.MARK);
    }

    /** Of versions that were replaced, no message is kept. */
    @Test
    void stateOfThePastIsEncoded() throws Exception {
        configMap("a", "one", "x", "2");
        String path = A + "?resourceVersion=103&resourceVersionMatch=Exact";
        assertThat(withoutKind(document(get(path, PROTOBUF)).items()))
                .isEqualTo(items(get(path, "application/json")));
    }

    /** Beyond the buffer of a list; its length is measured in a first pass. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?limit=5"})
    void longListsAreWholeToo(String query) throws Exception {
        String text = "x".repeat(1_900_000);
        for (int i = 0; i < 6; i++) {
            configMap("c", "long-" + i, "z", text);
        }
        String path = "/api/v1/namespaces/c/configmaps" + query;
        List<JsonNode> json = items(get(path, "application/json"));
        assertThat(json).hasSize(query.isEmpty() ? 6 : 5);
        assertThat(withoutKind(document(get(path, PROTOBUF)).items())).isEqualTo(json);

        Answer packed = fixture.client.get(path, "Accept", PROTOBUF, "Accept-Encoding", "gzip");
        assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
        byte[] unpacked =
                new GZIPInputStream(new ByteArrayInputStream(packed.response().body()))
                        .readAllBytes();
        assertThat(withoutKind(ProtobufDocument.of(unpacked).items())).isEqualTo(json);
    }

    @Test
    void watchesAreFrames() throws Exception {
        configMap("a", "one", "z", "2"); // 104
        cluster.delete(Bytes.utf8("/registry/configmaps/a/two")); // 105
        Answer watch =
                get(
                        A + "?watch=1&resourceVersion=101&timeoutSeconds=1&allowWatchBookmarks=1",
                        EITHER);
        assertThat(watch.header("Content-Type")).isEqualTo(PROTOBUF + ";stream=watch");
        List<Event> events = ProtobufDocument.events(watch.response().body());
        assertThat(shown(events.subList(0, 3)))
                .containsExactly("ADDED two@102", "MODIFIED one@104", "DELETED two@105");
        assertThat(events.get(1).object().json())
                .isEqualTo(get(A + "/one", "application/json").json());
    }

    @Test
    void initialEventsEndWithABookmark() throws Exception {
        String path =
                A
                        + "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
                        + "&resourceVersionMatch=NotOlderThan&timeoutSeconds=1";
        List<Event> events =
                ProtobufDocument.events(get(path, EITHER).response().body()).subList(0, 3);
        assertThat(shown(events))
                .containsExactly("ADDED one@101", "ADDED two@102", "BOOKMARK END@103");
    }

    @Test
    void errorsOfAWatchAreFrames() throws Exception {
        Answer watch = get(A + "?watch=1&resourceVersion=5&timeoutSeconds=1", PROTOBUF);
        if (watch.status() == 200) {
            assertThat(shown(ProtobufDocument.events(watch.response().body())))
                    .containsExactly("ERROR Status");
        } else {
            assertThat(ProtobufDocument.of(watch.response().body()).kind()).isEqualTo("Status");
        }
    }

    @Test
    void metadataHasAProtobufFormForEveryKind() throws Exception {
        ProtobufDocument list = document(get(A, PROTOBUF + METADATA_LIST));
        assertThat(list.apiVersion() + " " + list.kind())
                .isEqualTo("meta.k8s.io/v1 PartialObjectMetadataList");
        assertThat(list.items())
                .extracting(item -> item.path("metadata"))
                .isEqualTo(
                        items(get(A, "application/json" + METADATA_LIST)).stream()
                                .map(item -> item.path("metadata"))
                                .toList());
    }

    @Test
    void scalesHaveAProtobufForm() throws Exception {
        cluster.put(
                "/registry/deployments/a/web",
                at ->
                        """
                        {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web",\
                        "namespace":"a","uid":"u","resourceVersion":"%d"},"spec":{"replicas":3,\
                        "selector":{"matchLabels":{"app":"x"}}},"status":{"replicas":2}}\
                        """
                                .formatted(at));
        String path = "/apis/apps/v1/namespaces/a/deployments/web/scale";
        ProtobufDocument scale = document(get(path, EITHER));
        assertThat(scale.apiVersion() + " " + scale.kind()).isEqualTo("autoscaling/v1 Scale");
        assertThat(scale.json()).isEqualTo(get(path, "application/json").json());
    }

    @Test
    void everyBuiltInKindHasAProtobufForm() {
        assertThat(BuiltInResources.under(Bytes.utf8("/registry/")))
                .allSatisfy(resource ->
                        assertThat(KubernetesEncoder.of(resource.apiVersion(), resource.kind()))
                                .as(resource.apiVersion() + " " + resource.kind())
                                .isPresent());
    }

    @Test
    void formsOfTextsAreJsonForClientsThatTakeBoth() throws Exception {
        assertThat(get(A + "/one?history=true", EITHER).header("Content-Type"))
                .isEqualTo("application/json");
        assertThat(get(A + "?watch=1&longPoll=1&resourceVersion=101", EITHER).json())
                .isEqualTo(
                        get(A + "?watch=1&longPoll=1&resourceVersion=101", "application/json")
                                .json());
        assertThat(get(A + "/one?history=true", PROTOBUF).status()).isEqualTo(406);
        assertThat(get(A + "?watch=1&longPoll=1", PROTOBUF).status()).isEqualTo(406);
        assertThat(get(A, PROTOBUF + ";as=Table;v=v1;g=meta.k8s.io").status()).isEqualTo(406);
    }

    @Test
    void whatDoesNotFitItsSchemaIsAnErrorThatSaysSo() throws Exception {
        cluster.put(
                "/registry/configmaps/a/odd",
                at ->
                        """
                        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"odd","namespace":"a",\
                        "resourceVersion":"%d"},"immutable":"perhaps"}\
                        """
                                .formatted(at));
        assertThat(get(A, "application/json").names()).contains("odd");
        for (String path : List.of(A + "/odd", A, A + "?limit=9")) {
            Answer answer = get(path, EITHER);
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.text())
                    .contains("/registry/configmaps/a/odd cannot be written as protobuf")
                    .contains("immutable is not of type BOOL")
                    .contains("request JSON");
        }
        Answer watch = get(A + "?watch=1&resourceVersion=103&timeoutSeconds=5", EITHER);
        assertThat(shown(ProtobufDocument.events(watch.response().body())))
                .containsExactly("ERROR Status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/apis", "/apis/apps", "/api/v1", "/apis/apps/v1"})
    void discoveryHasAProtobufForm(String path) throws Exception {
        Answer json = get(path, "application/json");
        Answer protobuf = get(path, EITHER);
        assertThat(protobuf.header("Content-Type")).isEqualTo(PROTOBUF);
        ProtobufDocument document = ProtobufDocument.of(protobuf.response().body());
        assertThat(document.kind()).isEqualTo(json.json().path("kind").asText());
        assertThat(document.apiVersion()).isEqualTo(json.json().path("apiVersion").asText());
    }

    private static List<String> shown(List<Event> events) throws Exception {
        List<String> shown = new ArrayList<>();
        for (Event event : events) {
            shown.add(event.shown());
        }
        return shown;
    }
}
