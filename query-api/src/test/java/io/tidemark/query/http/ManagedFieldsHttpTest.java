package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kubernetes.testing.ProtobufDocument;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code drop=metadata.managedFields} an answer is the same, without those. */
class ManagedFieldsHttpTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PATH = "/api/v1/namespaces/a/configmaps";
    private static final String DROP = ";drop=metadata.managedFields";
    private static final String FIELDS =
            """
            "managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1",\
            "fieldsType":"FieldsV1","fieldsV1":{"f:data":{"k:{\\"a\\":1}":{}}}}]\
            """;

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    /** With the fields after other members, before them, alone with the revision, and without. */
    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(2, 100);
        put("last", "\"resourceVersion\":\"%d\"," + FIELDS);
        put("first", FIELDS + ",\"resourceVersion\":\"%d\"");
        put("none", "\"resourceVersion\":\"%d\"");
        put("nested", "\"resourceVersion\":\"%d\",\"annotations\":{\"managedFields\":\"x\"}");
        fixture = new QueryNodeFixture(cluster, config -> config);
    }

    private void put(String name, String metadata) {
        cluster.put(
                "/registry/configmaps/a/" + name,
                at ->
                        """
                        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s","namespace":"a",%s},\
                        "data":{"managedFields":"mine"}}\
                        """
                                .formatted(name, metadata.replace("%d", Long.toString(at))));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer get(String path, String accept) throws Exception {
        return fixture.client.get(path, "Accept", accept);
    }

    private static JsonNode stripped(JsonNode document) {
        document.findParents("managedFields").stream()
                .filter(parent -> parent.path("managedFields").isArray())
                .forEach(parent -> ((ObjectNode) parent).remove("managedFields"));
        return document;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/last",
                "/first",
                "/none",
                "/nested",
                "?limit=3",
                "?watch=1&resourceVersion=100&timeoutSeconds=1",
                "?watch=1&longPoll=1&resourceVersion=100",
                "/last?history=true",
            })
    void answersAreTheSameWithoutThem(String query) throws Exception {
        List<JsonNode> whole = documents(get(PATH + query, "application/json"));
        List<JsonNode> dropped = documents(get(PATH + query, "application/json" + DROP));
        assertThat(dropped).isEqualTo(whole.stream().map(ManagedFieldsHttpTest::stripped).toList());
    }

    private static List<JsonNode> documents(Answer answer) throws Exception {
        assertThat(answer.status()).isEqualTo(200);
        List<JsonNode> documents = new ArrayList<>();
        for (String line : answer.text().split("\n")) {
            documents.add(JSON.readTree(line));
        }
        return documents;
    }

    @Test
    void otherFormsLeaveThemOutToo() throws Exception {
        assertThat(get(PATH + "/last", "application/yaml").text()).contains("fieldsV1");
        assertThat(get(PATH + "/last", "application/yaml" + DROP).text())
                .doesNotContain("fieldsV1")
                .contains("managedFields: mine");
        String metadata = ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
        assertThat(get(PATH, "application/json" + metadata).text()).contains("fieldsV1");
        assertThat(get(PATH, "application/json" + metadata + DROP).text())
                .doesNotContain("fieldsV1");
        String protobuf = "application/vnd.kubernetes.protobuf";
        assertThat(ProtobufDocument.of(get(PATH, protobuf + DROP).response().body()).items())
                .isEqualTo(
                        ProtobufDocument.of(get(PATH, protobuf).response().body()).items().stream()
                                .map(ManagedFieldsHttpTest::stripped)
                                .toList());
    }
}
