package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.kubernetes.convert.VersionConverter;
import io.tidemark.kubernetes.schema.KindSchemas;
import io.tidemark.kubernetes.schema.KindSchemas.KindVersion;
import io.tidemark.kubernetes.testing.ArbitraryObjects;
import io.tidemark.kubernetes.testing.ProtobufDocument;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Arbitrary objects of every kind and version of the schemas, with any value in any member, are
 * served in each version and form, and all forms say the same. Every built-in API is turned on.
 */
@ParameterizedClass
@EnumSource(KeptForms.class)
class EveryKindHttpTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new YAMLMapper();
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final int OBJECTS = 3;

    private final KubernetesDecoder decoder = new KubernetesDecoder();
    private final VersionConverter versions = new VersionConverter();
    private final MirroredCluster cluster;
    private final List<Resource> resources = BuiltInResources.all(QueryConfig.DEFAULT_PREFIX);
    private final Catalog catalog = FixedCatalog.of(resources);
    private final QueryNodeFixture fixture;

    /** The stored JSON by key. */
    private final Map<String, JsonNode> stored = new HashMap<>();

    EveryKindHttpTest(KeptForms kept) {
        cluster = new MirroredCluster(3, 100, kept.settings());
        fixture =
                new QueryNodeFixture(
                        cluster,
                        config -> config.withSecrets(KubernetesRoots.DEFAULT, true),
                        () -> catalog);
    }

    static LongStream seeds() {
        return LongStream.of(1, 2, Long.getLong("tidemark.seed", 3));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyKindIsServedInEveryForm(long seed) throws Exception {
        for (KindVersion version : KindSchemas.kinds()) {
            if (isStored(version)) {
                for (int i = 0; i < OBJECTS; i++) {
                    write(version, i, seed * 1_000 + i);
                }
            }
        }
        for (Resource resource : resources) {
            List<String> names = names(resource);
            assertThat(names).as(resource.toString()).isNotEmpty();
            checkList(resource, names.size());
            for (String name : names) {
                checkObject(resource, name);
            }
        }
    }

    /** Whether an API server of a supported release may have stored objects in this version. */
    private boolean isStored(KindVersion version) {
        return !version.apiVersion().equals("autoscaling/v1")
                && !version.kind().equals("RangeAllocation");
    }

    private void write(KindVersion version, int number, long seed) {
        Resource resource = resourceOf(version);
        byte[] bytes = ArbitraryObjects.stored(version.apiVersion(), version.kind(), seed);
        String name = version.apiVersion().replace('/', '.') + "." + number;
        String key = key(resource, name);
        cluster.put(key, at -> json(key, bytes, resource, name, at));
    }

    private static String key(Resource resource, String name) {
        return resource.keyPrefix().utf8() + (resource.namespaced() ? "ns/" : "") + name;
    }

    /** Definitions in a version that is only stored are those of the served one. */
    private Resource resourceOf(KindVersion version) {
        int slash = version.apiVersion().indexOf('/');
        String group = slash < 0 ? "" : version.apiVersion().substring(0, slash);
        return catalog.ofKind(group, version.kind()).orElseThrow();
    }

    /** The names of all written objects that an API server would serve as this resource. */
    private List<String> names(Resource resource) {
        String prefix = key(resource, "");
        return stored.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .filter(entry -> isServed(entry.getValue().path("apiVersion").asText(), resource))
                .map(entry -> entry.getKey().substring(prefix.length()))
                .sorted()
                .toList();
    }

    private boolean isServed(String version, Resource resource) {
        return resource.conversion().byName()
                || versions.canConvert(resource.kind(), version, resource.apiVersion());
    }

    /** As the connector decodes it, but with the name and namespace of its key. */
    private String json(String key, byte[] bytes, Resource resource, String name, long revision) {
        DecodeResult decoded = decoder.decode(bytes, revision);
        assertThat(decoded).isInstanceOf(DecodeResult.Json.class);
        try {
            JsonNode object = JSON.readTree(((DecodeResult.Json) decoded).json().utf8());
            ObjectNode metadata = (ObjectNode) object.path("metadata");
            metadata.put("name", name).put("resourceVersion", Long.toString(revision));
            metadata.remove("namespace");
            if (resource.namespaced()) {
                metadata.put("namespace", "ns");
            }
            stored.put(key, object);
            return object.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(Resource resource) {
        return (resource.group().isEmpty() ? "/api/v1" : "/apis/" + resource.apiVersion())
                + (resource.namespaced() ? "/namespaces/ns/" : "/")
                + resource.plural();
    }

    private Answer get(String path, String accept) throws Exception {
        Answer answer = fixture.client.get(path, "Accept", accept);
        assertThat(answer.status()).as("%s as %s: %s", path, accept, answer.text()).isEqualTo(200);
        return answer;
    }

    /** Protobuf does not tell them apart. */
    private static JsonNode emptyListsAsNull(JsonNode json) {
        if (json instanceof ObjectNode object) {
            object.properties()
                    .forEach(member -> {
                        boolean empty = member.getValue().isArray() && member.getValue().isEmpty();
                        member.setValue(
                                empty
                                        ? NullNode.getInstance()
                                        : emptyListsAsNull(member.getValue()));
                    });
        } else {
            json.forEach(EveryKindHttpTest::emptyListsAsNull);
        }
        return json;
    }

    private void checkObject(Resource resource, String name) throws Exception {
        String path = path(resource) + "/" + name;
        JsonNode json = get(path, "application/json").json();
        JsonNode written = Objects.requireNonNull(stored.get(key(resource, name)));
        if (written.path("apiVersion").asText().equals(resource.apiVersion())) {
            assertThat(json).as(path).isEqualTo(written);
        }
        assertThat(json.path("kind").asText()).isEqualTo(resource.kind());
        assertThat(json.path("apiVersion").asText()).as(path).isEqualTo(resource.apiVersion());
        assertThat(YAML.readTree(get(path, "application/yaml").text())).as(path).isEqualTo(json);
        ProtobufDocument protobuf = ProtobufDocument.of(get(path, PROTOBUF).response().body());
        assertThat(protobuf.kind()).isEqualTo(resource.kind());
        assertThat(protobuf.apiVersion()).isEqualTo(resource.apiVersion());
        assertThat(emptyListsAsNull(protobuf.json())).as(path).isEqualTo(emptyListsAsNull(json));
        assertThat(get(path, TABLE).json().path("rows")).as(path).hasSize(1);
    }

    private void checkList(Resource resource, int objects) throws Exception {
        String path = path(resource);
        List<JsonNode> items = new ArrayList<>();
        get(path, "application/json").json().path("items").forEach(items::add);
        assertThat(items).as(path).hasSize(objects);
        List<JsonNode> protobuf =
                ProtobufDocument.of(get(path, PROTOBUF).response().body()).items();
        protobuf.forEach(item -> ((ObjectNode) item).remove(List.of("kind", "apiVersion")));
        assertThat(protobuf.stream().map(EveryKindHttpTest::emptyListsAsNull).toList())
                .as(path)
                .isEqualTo(items.stream().map(EveryKindHttpTest::emptyListsAsNull).toList());
        JsonNode table = get(path, TABLE).json();
        assertThat(table.path("rows")).as(path).hasSize(objects);
        for (JsonNode row : table.path("rows")) {
            // The API server has a cell without a column for IP addresses.
            assertThat(row.path("cells").size())
                    .as(path)
                    .isGreaterThanOrEqualTo(table.path("columnDefinitions").size());
        }
    }
}
