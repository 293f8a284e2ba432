package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.JsonDifferences;
import io.tidemark.harness.Recording;
import io.tidemark.harness.Recording.Served;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.harness.Together;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.kubernetes.testing.ProtobufDocument;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real cluster's etcd, restored from its snapshot, is served as its API server served it: every
 * object, every field, at its resource version. There are no known differences, so the test allows
 * none.
 */
@LongTest
class RecordedClusterIT {
    private static final int OBJECTS = 2_174;
    private static final int CUSTOM = 190;
    private static final int AT_ONCE = 8;
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    @TempDir private Path folder;

    @Test
    void everyObjectEqualsTheApiServersAnswer() throws Exception {
        Recording recording = Recording.orSkip();
        List<Served> objects = recording.objects();
        assertThat(objects).hasSize(OBJECTS);
        try (TestEtcd etcd =
                TestEtcd.restored(folder.resolve("outside"), recording.snapshot(folder))) {
            try (TidemarkProcess tidemark = up(etcd)) {
                Api api = tidemark.api();
                assertThat(differencesOfGets(api, objects)).isEmpty();
                assertThat(differencesOfLists(api, objects)).isEmpty();
                assertThat(differencesOfProtobuf(api, objects)).isEmpty();
                assertThat(api.keys("registry/")).isEqualTo(etcd.keys("/registry/"));
                assertThat(api.get("/readyz?verbose").body())
                        .doesNotContainPattern("unreadable [1-9]");
            }
            // The stores get this form when they are opened, and lose it again.
            try (TidemarkProcess keeping = up(etcd, "--keep-protobuf")) {
                assertThat(differencesOfProtobuf(keeping.api(), objects)).isEmpty();
                assertThat(differencesOfLists(keeping.api(), objects)).isEmpty();
            }
            try (TidemarkProcess tidemark = up(etcd)) {
                assertThat(differencesOfProtobuf(tidemark.api(), objects)).isEmpty();
            }
        }
    }

    private TidemarkProcess up(TestEtcd etcd, String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of("--include-secrets", "--insecure"));
        options.addAll(List.of(more));
        return TidemarkProcess.up(
                folder.resolve("data"), etcd.endpoint(), options.toArray(new String[0]));
    }

    /** Each object at its own URL. */
    private static List<String> differencesOfGets(Api api, List<Served> objects) throws Exception {
        return Together.map(AT_ONCE, objects, served -> differencesOfGet(api, served)).stream()
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> differencesOfGet(Api api, Served served) throws Exception {
        Api.Answer answer = api.getInTime(served.url());
        if (answer.status() != 200) {
            return List.of(served.url() + " answered " + answer.status());
        }
        JsonNode object = answer.json();
        assertThat(object.at("/metadata/resourceVersion").asLong())
                .as(served.url())
                .isEqualTo(served.modRevision());
        return JsonDifferences.between(served.object(), object).stream()
                .map(difference -> served.url() + difference)
                .toList();
    }

    /** The collections that contain them, which contain nothing else. */
    private static List<String> differencesOfLists(Api api, List<Served> objects) throws Exception {
        Map<String, List<Served>> collections =
                objects.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Served::collection, TreeMap::new, Collectors.toList()));
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, List<Served>> collection : collections.entrySet()) {
            Map<String, JsonNode> expected = new TreeMap<>();
            for (Served served : collection.getValue()) {
                expected.put(nameOf(served.object()), withoutKind(served.object()));
            }
            Map<String, JsonNode> actual = new TreeMap<>();
            for (JsonNode item : api.list(collection.getKey()).path("items")) {
                actual.put(nameOf(item), withoutKind(item));
            }
            if (!actual.equals(expected)) {
                differences.add(collection.getKey());
            }
        }
        return differences;
    }

    /** The collections as client-go asks for them: protobuf, or JSON of custom resources. */
    private static List<String> differencesOfProtobuf(Api api, List<Served> objects)
            throws Exception {
        List<String> differences = new ArrayList<>();
        int inProtobuf = 0;
        for (String collection :
                objects.stream().map(Served::collection).collect(Collectors.toSet())) {
            JsonNode list = api.list(collection);
            String sameState =
                    collection
                            + "?resourceVersionMatch=Exact&resourceVersion="
                            + Api.resourceVersion(list);
            TestHttpClient.Answer answer = api.get(sameState, PROTOBUF + ",application/json");
            if (!answer.header("Content-Type").equals(PROTOBUF)) {
                assertThat(list.at("/items/0/kind").asText())
                        .as("%s is custom", collection)
                        .isNotEmpty();
                continue;
            }
            List<JsonNode> expected = new ArrayList<>();
            list.path("items").forEach(item -> expected.add(withoutKind(item)));
            List<JsonNode> items =
                    ProtobufDocument.of(answer.body()).items().stream()
                            .map(RecordedClusterIT::withoutKind)
                            .toList();
            inProtobuf += items.size();
            if (!items.equals(expected)) {
                differences.add(collection);
            }
        }
        assertThat(inProtobuf).isEqualTo(OBJECTS - CUSTOM);
        return differences;
    }

    private static String nameOf(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    /** Items of built-in resources lack kind and apiVersion. */
    private static JsonNode withoutKind(JsonNode object) {
        ObjectNode copy = object.deepCopy();
        copy.remove(List.of("kind", "apiVersion"));
        return copy;
    }
}
