package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The requests of client-go's reflector, one by one: those of its watch-list, of its
 * list-then-watch, and of its consistency detector.
 */
class ReflectorIT {
    private static final int OBJECTS = 700;
    private static final int CHANGES = 500;
    private static final String UNTIL = "&allowWatchBookmarks=true&timeoutSeconds=60";

    @TempDir private Path folder;

    /** A reflector's state: the objects by name, and its last resource version. */
    private static final class Store {
        private final Map<String, JsonNode> objects = new TreeMap<>();
        private String resourceVersion = "";

        void replace(JsonNode list) {
            objects.clear();
            for (JsonNode item : list.path("items")) {
                objects.put(nameOf(item), item);
            }
        }

        /** Takes events until the expected one, which must come. */
        void follow(Api.WatchStream watch, String until) throws Exception {
            while (true) {
                JsonNode event = watch.next();
                JsonNode object = event.path("object");
                String name = nameOf(object);
                switch (event.path("type").asText()) {
                    case "ADDED" -> assertThat(objects.put(name, object)).as(name).isNull();
                    case "MODIFIED" -> assertThat(objects.put(name, object)).as(name).isNotNull();
                    case "DELETED" -> assertThat(objects.remove(name)).as(name).isNotNull();
                    case "BOOKMARK" -> {}
                    default -> throw new AssertionError(event);
                }
                String version = object.at("/metadata/resourceVersion").asText();
                if (!resourceVersion.isEmpty() && !event.path("type").asText().equals("ADDED")) {
                    assertThat(Long.parseLong(version))
                            .isGreaterThanOrEqualTo(Long.parseLong(resourceVersion));
                }
                resourceVersion = version;
                if (until.isEmpty() ? endsInitialEvents(event) : version.equals(until)) {
                    return;
                }
            }
        }

        private static boolean endsInitialEvents(JsonNode event) {
            return event.path("type").asText().equals("BOOKMARK")
                    && event.path("object")
                            .path("metadata")
                            .path("annotations")
                            .path("k8s.io/initial-events-end")
                            .asText()
                            .equals("true");
        }

        private static String nameOf(JsonNode object) {
            return object.at("/metadata/namespace").asText()
                    + "/"
                    + object.at("/metadata/name").asText();
        }
    }

    @Test
    void watchListAndListThenWatchAgree() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            Changes changes = new Changes(etcd);
            changes.define();
            changes.write(OBJECTS);
            try (TidemarkProcess tidemark =
                    TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
                for (WatchedView view : WatchedView.values()) {
                    check(tidemark.api(), etcd, changes, view);
                }
            }
        }
    }

    /** All of a view's requests, beside changes. */
    static void check(Api api, TestEtcd etcd, Changes changes, WatchedView view) throws Exception {
        String path =
                view.path()
                        + "?"
                        + (view.labelSelector().isEmpty()
                                ? ""
                                : "labelSelector="
                                        + view.labelSelector().replace("=", "%3D")
                                        + "&");
        Store listed = new Store();
        Store watchListed = new Store();
        try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
            Future<?> written = writer.submit(() -> changes.write(CHANGES));
            listAllPages(api, path, listed);
            try (Api.WatchStream watch = watchList(api, path, "")) {
                watchListed.follow(watch, "");
                assertConsistent(api, path, watchListed);
                written.get();
                String last = Long.toString(changes.touch(view));
                watchListed.follow(watch, last);
                try (Api.WatchStream plain =
                        api.watch(
                                path
                                        + "watch=true&resourceVersion="
                                        + listed.resourceVersion
                                        + UNTIL)) {
                    listed.follow(plain, last);
                }
            }
        }
        assertThat(versions(watchListed)).as("%s", view).isEqualTo(view.in(etcd));
        assertThat(versions(listed)).as("%s", view).isEqualTo(view.in(etcd));
        assertConsistent(api, path, watchListed);
        // Resumes where it was: all there is, and a bookmark that is not older.
        Store again = new Store();
        try (Api.WatchStream watch = watchList(api, path, watchListed.resourceVersion)) {
            again.follow(watch, "");
        }
        assertThat(versions(again)).isEqualTo(versions(watchListed));
    }

    private static Api.WatchStream watchList(Api api, String path, String from) throws Exception {
        return api.watch(
                path
                        + "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + UNTIL
                        + (from.isEmpty() ? "" : "&resourceVersion=" + from));
    }

    /** As the pager does: from 0 with a limit, then with each continue token. */
    private static void listAllPages(Api api, String path, Store store) throws Exception {
        JsonNode page = api.list(path + "resourceVersion=0&limit=500");
        store.replace(page);
        store.resourceVersion = Api.resourceVersion(page);
        assertThat(page.at("/metadata/continue").asText()).isEmpty();
    }

    /** The detector: the same collection, exactly at the version that the watch-list ended with. */
    private static void assertConsistent(Api api, String path, Store store) throws Exception {
        JsonNode list =
                api.list(
                        path
                                + "resourceVersion="
                                + store.resourceVersion
                                + "&resourceVersionMatch=Exact");
        assertThat(Api.resourceVersion(list)).isEqualTo(store.resourceVersion);
        Store exact = new Store();
        exact.replace(list);
        assertThat(withoutKind(exact)).isEqualTo(withoutKind(store));
    }

    /** Items of a list may omit what the list states for all. */
    private static Map<String, JsonNode> withoutKind(Store store) {
        Map<String, JsonNode> objects = new TreeMap<>();
        store.objects.forEach((name, object) -> {
            ObjectNode copy = object.<ObjectNode>deepCopy();
            copy.remove(List.of("kind", "apiVersion"));
            objects.put(name, copy);
        });
        return objects;
    }

    private static Map<String, String> versions(Store store) {
        Map<String, String> versions = new TreeMap<>();
        store.objects.forEach((name, object) ->
                versions.put(name, object.at("/metadata/resourceVersion").asText()));
        return versions;
    }
}
