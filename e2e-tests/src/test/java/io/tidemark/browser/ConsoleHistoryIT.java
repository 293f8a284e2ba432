package io.tidemark.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where a history begins, and why: at its floor, after a gap that etcd's compaction left, and with
 * a new epoch after etcd was replaced. All in one mirror.
 */
@LongTest
class ConsoleHistoryIT {
    private static final String ALL =
            "#changes?class=spec&from=" + Instant.now().minus(Duration.ofHours(1));

    @TempDir private Path folder;

    @Test
    void showsTheFloorAGapAndANewEpochAsWhatTheyAre() throws Exception {
        assumeTrue(Security.ofRun() == Security.PLAIN, "the browser has no certificate");
        Path data = folder.resolve("data");
        try (Browser page = Browser.startOrSkip(folder.resolve("profile"))) {
            try (TestEtcd etcd = new TestEtcd(folder.resolve("first"))) {
                etcd.putConfigMaps(20, "before");
                try (TidemarkProcess mirror =
                        TidemarkProcess.up(data, etcd.endpoint(), "--backfill", "0")) {
                    etcd.putConfigMap("shop", "seen", "v");
                    open(page, mirror, ALL);
                    page.await("p.notice", "The history begins at");
                    page.await("ol.feed li", "shop/seen");
                    assertThat(page.text("p.notice")).doesNotContain("gap", "epoch");
                    assertThat(unknown(page)).as("drawn as unknown, not as empty").isPositive();
                    open(page, mirror, "#mirror");
                    page.await("section[aria-label='Connector and history'] td", "none");
                    page.leave();
                    mirror.stop();
                }
                etcd.putConfigMap("shop", "missed", "v");
                long lost = etcd.putConfigMap("shop", "missed", "w");
                etcd.client().compact(lost, true);
                try (TidemarkProcess mirror = TidemarkProcess.up(data, etcd.endpoint())) {
                    etcd.putConfigMap("shop", "after-the-gap", "v");
                    open(page, mirror, ALL);
                    page.await("p.notice", "A gap: etcd compacted the changes after");
                    page.await("ol.feed li", "shop/after-the-gap");
                    assertThat(page.texts("ol.feed li"))
                            .as("nothing is made up for the gap")
                            .noneMatch(each -> each.contains("missed"));
                    assertThat(unknown(page)).as("drawn as unknown").isPositive();
                    open(page, mirror, "#mirror");
                    page.await("section[aria-label='Connector and history'] td", "1; the last one");
                    page.leave();
                    mirror.stop();
                }
            }
            try (TestEtcd etcd = new TestEtcd(folder.resolve("second"))) {
                etcd.putConfigMaps(20, "elsewhere");
                try (TidemarkProcess mirror =
                        TidemarkProcess.up(data, etcd.endpoint(), "--backfill", "0")) {
                    etcd.putConfigMap("shop", "in-the-new-epoch", "v");
                    open(page, mirror, ALL);
                    page.await("ol.feed li", "shop/in-the-new-epoch");
                    page.await("p.notice", "It is epoch 2");
                    open(page, mirror, "#mirror");
                    page.await(
                            "section[aria-label='Connector and history'] td",
                            "2: the history began again");
                    page.leave();
                }
            }
            assertThat(page.errors()).isEmpty();
        }
    }

    /** Once all is mirrored that was written, and the node reaches the connector. */
    private static void open(Browser page, TidemarkProcess mirror, String view) throws Exception {
        JsonNode _ = mirror.api().list("/api/v1/namespaces/shop/configmaps");
        Awaitility.await()
                .until(() -> mirror.api().list("/cluster").at("/connector/url").isTextual());
        page.open("http://127.0.0.1:%d/ui/%s".formatted(mirror.address().getPort(), view));
    }

    /** Width of what the chart leaves open. */
    private static double unknown(Browser page) {
        Object width =
                page.run(
                        "return Number(document.querySelector('.chart .unknown')"
                                + "?.getAttribute('width') ?? 0)");
        return width instanceof Number number ? number.doubleValue() : 0;
    }
}
