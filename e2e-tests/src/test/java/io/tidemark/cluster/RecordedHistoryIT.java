package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.Api;
import io.tidemark.harness.EventModel;
import io.tidemark.harness.EventModel.ObservedEvent;
import io.tidemark.harness.JsonDifferences;
import io.tidemark.harness.LiveWatch;
import io.tidemark.harness.Recording;
import io.tidemark.harness.Recording.Event;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole life of a recorded cluster is written event by event into an empty etcd, under watches:
 * every event arrives once, in order, with its type.
 */
@LongTest
class RecordedHistoryIT {
    private static final int EVENTS = 3_774;
    private static final String ROOT = "/registry/";
    private static final String DEFINITIONS =
            "/registry/apiextensions.k8s.io/customresourcedefinitions/";

    /** Resources that are watched from before the first write. */
    private static final Map<String, String> BUILT_IN =
            Map.of(
                    "/registry/pods/", "/api/v1/pods",
                    "/registry/events/", "/api/v1/events",
                    "/registry/minions/", "/api/v1/nodes",
                    "/registry/services/specs/", "/api/v1/services");

    /** Resources that are watched from their definition on. */
    private static final Map<String, String> CUSTOM =
            Map.of(
                    "/registry/cert.example.io/certificates/",
                            "/apis/cert.example.io/v1/certificates",
                    "/registry/peers.example.com/widgets/", "/apis/peers.example.com/v1/widgets",
                    "/registry/peers.example.com/clusterthings/",
                            "/apis/peers.example.com/v1/clusterthings");

    private final Map<String, LiveWatch> watches = new LinkedHashMap<>();

    @TempDir private Path folder;

    @Test
    void watchersGetEveryEventOnceInOrderWithItsType() throws Exception {
        Recording recording = Recording.orSkip();
        List<Event> history = recording.history();
        assertThat(history).hasSize(EVENTS);
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"));
                TidemarkProcess tidemark =
                        TidemarkProcess.up(
                                folder.resolve("data"),
                                etcd.endpoint(),
                                "--include-secrets",
                                "--insecure")) {
            Api api = tidemark.api();
            String from = Api.resourceVersion(api.list("/kv/registry/"));
            watchAll(api, from, Map.of(ROOT, "/kv/registry/"));
            watchAll(api, from, BUILT_IN);

            EventModel model = new EventModel();
            int defined = lastDefinition(history);
            replay(etcd, history.subList(0, defined), model);
            watchAll(api, from, CUSTOM);
            replay(etcd, history.subList(defined, history.size()), model);
            assertThat(model.below(ROOT)).hasSize(EVENTS);

            watches.forEach((prefix, watch) -> assertSees(prefix, watch, model));
            for (String prefix : watches.keySet()) {
                assertSeesAgain(api, from, prefix, model);
            }
            watches.forEach((prefix, watch) ->
                    assertThat(watch.seen()).as(prefix).isEqualTo(model.below(prefix)));
            assertThat(differencesAtTheEnd(recording, api, model)).isEmpty();
        }
    }

    @AfterEach
    void closeWatches() throws Exception {
        for (LiveWatch watch : watches.values()) {
            watch.close();
        }
    }

    /** The number of events up to the last one about a definition. */
    private static int lastDefinition(List<Event> history) {
        int count = 0;
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i).key().startsWith(DEFINITIONS)) {
                count = i + 1;
            }
        }
        return count;
    }

    private static void replay(TestEtcd etcd, List<Event> events, EventModel model) {
        for (Event event : events) {
            Bytes key = Bytes.utf8(event.key());
            if (event.value().isPresent()) {
                model.put(event.key(), etcd.client().put(key, event.value().get()));
            } else {
                long revision = etcd.client().txn(Txn.of(new Op.Delete(key))).revision();
                model.delete(event.key(), revision);
            }
        }
    }

    /** Opens a watch of each path, by the prefix of its keys; a path need not be defined yet. */
    private void watchAll(Api api, String from, Map<String, String> paths) throws Exception {
        for (Map.Entry<String, String> path : paths.entrySet()) {
            Awaitility.await().until(() -> api.get(path.getValue() + "?limit=1").status() == 200);
            watches.put(path.getKey(), open(api, path.getValue(), from, path.getKey()));
        }
    }

    private static LiveWatch open(Api api, String path, String from, String prefix)
            throws Exception {
        return LiveWatch.open(
                api, path + "?watch&timeoutSeconds=600&resourceVersion=" + from, form(prefix));
    }

    private static Function<JsonNode, ObservedEvent> form(String prefix) {
        return prefix.equals(ROOT)
                ? ObservedEvent::ofKey
                : event -> ObservedEvent.ofObject(prefix, event);
    }

    private static void assertSees(String prefix, LiveWatch watch, EventModel model) {
        List<ObservedEvent> expected = model.below(prefix);
        Awaitility.await(prefix)
                .untilAsserted(() -> assertThat(watch.seen()).hasSize(expected.size()));
        assertThat(watch.seen()).as(prefix).isEqualTo(expected);
    }

    /** A new watch that begins at the start gets the same events. */
    private static void assertSeesAgain(Api api, String from, String prefix, EventModel model)
            throws Exception {
        Map<String, String> paths = new HashMap<>(BUILT_IN);
        paths.putAll(CUSTOM);
        try (LiveWatch again =
                open(api, paths.getOrDefault(prefix, "/kv/registry/"), from, prefix)) {
            assertSees(prefix, again, model);
        }
    }

    /**
     * In the end everything equals the recording, except for the revisions, which this etcd
     * assigned.
     */
    private static List<String> differencesAtTheEnd(Recording recording, Api api, EventModel model)
            throws Exception {
        Map<String, Long> revisions = new HashMap<>();
        model.below(ROOT).forEach(event -> revisions.put(event.key(), event.revision()));
        List<String> differences = new ArrayList<>();
        for (Recording.Served served : recording.objects()) {
            ObjectNode expected = served.object().deepCopy();
            ObjectNode metadata = expected.withObject("/metadata");
            metadata.put("resourceVersion", String.valueOf(revisions.get(served.key())));
            JsonDifferences.between(expected, api.getInTime(served.url()).json())
                    .forEach(difference -> differences.add(served.url() + difference));
        }
        return differences;
    }
}
