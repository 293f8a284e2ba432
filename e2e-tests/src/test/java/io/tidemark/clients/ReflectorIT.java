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
    private static final String UNTIL = "&allowWatchBookmarks=true&timeoutSeconds=600";

    @TempDir private Path folder;

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
        ReflectorStore listed = new ReflectorStore();
        ReflectorStore watchListed = new ReflectorStore();
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
                                        + listed.resourceVersion()
                                        + UNTIL)) {
                    listed.follow(plain, last);
                }
            }
        }
        assertThat(watchListed.versions()).as("%s", view).isEqualTo(view.in(etcd));
        assertThat(listed.versions()).as("%s", view).isEqualTo(view.in(etcd));
        assertConsistent(api, path, watchListed);
        // Resumes where it was: all there is, and a bookmark that is not older.
        ReflectorStore again = new ReflectorStore();
        try (Api.WatchStream watch = watchList(api, path, watchListed.resourceVersion())) {
            again.follow(watch, "");
        }
        assertThat(again.versions()).isEqualTo(watchListed.versions());
    }

    private static Api.WatchStream watchList(Api api, String path, String from) throws Exception {
        return api.watch(
                path
                        + "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + UNTIL
                        + (from.isEmpty() ? "" : "&resourceVersion=" + from));
    }

    /** As the pager does: from 0 with a limit, then with each continue token. */
    private static void listAllPages(Api api, String path, ReflectorStore store) throws Exception {
        JsonNode page = api.list(path + "resourceVersion=0&limit=500");
        store.replace(page);
        assertThat(page.at("/metadata/continue").asText()).isEmpty();
    }

    /** The detector: the same collection, exactly at the version that the watch-list ended with. */
    private static void assertConsistent(Api api, String path, ReflectorStore store)
            throws Exception {
        JsonNode list =
                api.list(
                        path
                                + "resourceVersion="
                                + store.resourceVersion()
                                + "&resourceVersionMatch=Exact");
        assertThat(Api.resourceVersion(list)).isEqualTo(store.resourceVersion());
        ReflectorStore exact = new ReflectorStore();
        exact.replace(list);
        assertThat(withoutKind(exact)).isEqualTo(withoutKind(store));
    }

    /** Items of a list may omit what the list states for all. */
    private static Map<String, JsonNode> withoutKind(ReflectorStore store) {
        Map<String, JsonNode> objects = new TreeMap<>();
        store.objects()
                .forEach((name, object) -> {
                    ObjectNode copy = object.<ObjectNode>deepCopy();
                    copy.remove(List.of("kind", "apiVersion"));
                    objects.put(name, copy);
                });
        return objects;
    }
}
