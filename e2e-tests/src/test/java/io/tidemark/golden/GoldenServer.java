package io.tidemark.golden;

import io.tidemark.golden.comparison.Deviations;
import io.tidemark.golden.comparison.Outcome;
import io.tidemark.golden.recording.GoldenRecordings;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** An etcd with the recorded content, and the real Tidemark that mirrors it. */
final class GoldenServer implements AutoCloseable {
    private final TestEtcd etcd;
    private final TidemarkProcess tidemark;

    private GoldenServer(TestEtcd etcd, TidemarkProcess tidemark) {
        this.etcd = etcd;
        this.tidemark = tidemark;
    }

    /**
     * Returns when Tidemark is ready.
     *
     * @param compacted the revision that etcd is compacted at before Tidemark sees it; 0 for none
     */
    static GoldenServer start(GoldenRecordings recordings, Path folder, long compacted)
            throws Exception {
        TestEtcd etcd = TestEtcd.restored(folder.resolve("outside"), recordings.snapshot(folder));
        try {
            if (compacted > 0) {
                etcd.client().compact(compacted, true);
            }
            return new GoldenServer(
                    etcd,
                    TidemarkProcess.up(
                            folder.resolve("data"),
                            etcd.endpoint(),
                            "--include-secrets",
                            "--insecure"));
        } catch (Exception e) {
            etcd.close();
            throw e;
        }
    }

    TestEtcd etcd() {
        return etcd;
    }

    InetSocketAddress address() {
        return tidemark.address();
    }

    /** Sends all requests of a file, and writes the report. */
    Report replayRequests(GoldenRecordings.Rows rows) throws Exception {
        return replayRequests(rows, "", rows.file());
    }

    /**
     * The same below another path.
     *
     * @param base such as {@code /at/3777}
     * @param report its name
     */
    Report replayRequests(GoldenRecordings.Rows rows, String base, String report) throws Exception {
        Deviations deviations = Deviations.load();
        List<Outcome> outcomes =
                new StaticReplay(address(), base, deviations).replay(RecordedRequest.all(rows));
        return Report.written(report, outcomes, deviations);
    }

    @Override
    public void close() throws Exception {
        tidemark.close();
        etcd.close();
    }
}
