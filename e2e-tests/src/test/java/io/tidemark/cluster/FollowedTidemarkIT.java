package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.Api.WatchStream;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Tidemark that follows another one serves what etcd holds, at etcd's revisions. */
@LongTest
class FollowedTidemarkIT {
    private static final String MAPS = "/api/v1/configmaps";
    private static final String KEYS = "/kv/registry/";

    @TempDir private Path folder;

    @Test
    void aLeafServesEtcdThroughItsRootAndThroughTheNextOne() throws Exception {
        int port = Ports.pickFree("127.0.0.1");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            etcd.putConfigMaps(20, "first");
            try (TidemarkProcess root = root(port, "root", etcd);
                    TidemarkProcess leaf = leaf(port)) {
                Api api = leaf.api();
                assertServesWhatIsWritten(api, etcd);
                assertSame(root.api(), api);
                long before = etcd.putConfigMap("ns-1", "watched", "1");
                try (WatchStream watch = api.watch(MAPS + "?watch&resourceVersion=" + before)) {
                    long seen = etcd.putConfigMap("ns-1", "watched", "2");
                    assertThat(revision(watch.next())).isEqualTo(seen);

                    root.kill();
                    long missed = etcd.putConfigMap("ns-1", "watched", "3");
                    assertThat(api.get(MAPS).status()).isEqualTo(504);
                    assertThat(api.get(MAPS + "?resourceVersion=0").status()).isEqualTo(200);
                    // Its topic is new, so it has no history but what etcd has.
                    try (TidemarkProcess next = root(port, "next-root", etcd)) {
                        assertThat(revision(watch.next())).isEqualTo(missed);
                        assertServesWhatIsWritten(api, etcd);
                        assertSame(next.api(), api);
                    }
                }
            }
        }
    }

    /** The leaf's first watch begins at the oldest revision that the root has. */
    @Test
    void aRootWithoutOlderHistoryIsNoGap() throws Exception {
        int port = Ports.pickFree("127.0.0.1");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            etcd.putConfigMaps(20, "first");
            try (TidemarkProcess root = root(port, "root", etcd, "--backfill=0");
                    TidemarkProcess leaf = leaf(port)) {
                assertServesWhatIsWritten(leaf.api(), etcd);
                assertSame(root.api(), leaf.api());
                assertThat(leaf.log()).contains("listed").doesNotContain("gap: ");
            }
        }
    }

    private TidemarkProcess root(int port, String name, TestEtcd etcd, String... more)
            throws Exception {
        return TidemarkProcess.upAt(port, folder.resolve(name), etcd.endpoint(), more);
    }

    private TidemarkProcess leaf(int port) throws Exception {
        Security security = Security.ofRun();
        String url = "%s://127.0.0.1:%d/kv".formatted(security.scheme(), port);
        List<String> flags = security.upstreamFlags();
        return TidemarkProcess.up(folder.resolve("leaf"), url, flags.toArray(String[]::new));
    }

    /** A read of "now" that begins after a write shows it. */
    private static void assertServesWhatIsWritten(Api leaf, TestEtcd etcd) throws Exception {
        for (int i = 0; i < 5; i++) {
            String value = "now-" + System.nanoTime();
            etcd.putConfigMap("ns-2", "now", value);
            JsonNode map = leaf.list("/api/v1/namespaces/ns-2/configmaps/now");
            assertThat(map.at("/data/value").asText()).isEqualTo(value);
        }
    }

    private static void assertSame(Api root, Api leaf) throws Exception {
        JsonNode here = leaf.list(KEYS);
        String exact =
                "?resourceVersion=%s&resourceVersionMatch=Exact"
                        .formatted(Api.resourceVersion(here));
        assertThat(here.path("items")).isEqualTo(root.list(KEYS + exact).path("items"));
        assertThat(here.path("items").size()).isGreaterThanOrEqualTo(20);
    }

    private static long revision(JsonNode event) {
        return event.at("/object/metadata/resourceVersion").asLong();
    }
}
