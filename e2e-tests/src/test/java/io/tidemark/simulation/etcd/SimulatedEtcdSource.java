package io.tidemark.simulation.etcd;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.model.Version;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.SimulatedProcess;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A connector's client of the fake etcd. Each call of its feed takes some virtual time. */
public final class SimulatedEtcdSource implements EtcdSource {
    private static final int PAGE = 3;
    private static final long MAX_PAGE_MILLIS = 60;

    /** As production's client, by default. */
    private static final long CALL_MILLIS = 5_000;

    private final FakeEtcd etcd;
    private final Mutation mutation;
    private final SimulatedProcess process;
    private OptionalLong viewedCluster = OptionalLong.empty();
    private long viewedHistory;
    private @Nullable SimulatedEtcdWatch watch;

    public SimulatedEtcdSource(FakeEtcd etcd, Mutation mutation, SimulatedProcess process) {
        this.etcd = etcd;
        this.mutation = mutation;
        this.process = process;
    }

    /**
     * Number of the history that a list shows which begins now. It may be newer than that of the
     * last {@link #view}: a requested relist does not look at etcd again, and a set-back etcd keeps
     * its cluster id.
     */
    public long listedHistory() {
        boolean sameCluster =
                viewedCluster.isPresent() && viewedCluster.getAsLong() == etcd.clusterId();
        return sameCluster ? etcd.historyNumber() : viewedHistory;
    }

    @Override
    public EtcdView view() {
        Newest newest = newest();
        viewedHistory = etcd.historyNumber();
        viewedCluster = OptionalLong.of(newest.clusterId());
        return new EtcdView(
                newest.clusterId(), newest.revision(), "3.5.16", ProgressSupport.MANUAL);
    }

    @Override
    public Newest newest() {
        process.delay();
        try {
            return new Newest(etcd.clusterId(), etcd.currentRevision());
        } catch (FakeEtcd.Unreachable e) {
            throw unavailable("cut off", e);
        }
    }

    @Override
    public long oldestRevision() {
        Newest unused = newest();
        return etcd.compactedRevision();
    }

    @Override
    public RangePage list(Bytes fromKeyInclusive, long revision, int limit) {
        process.delay(1, MAX_PAGE_MILLIS);
        try {
            FakeEtcd.Range range =
                    etcd.range(Settings.PREFIX, fromKeyInclusive, Math.min(limit, PAGE), revision);
            if (viewedCluster.isPresent() && viewedCluster.getAsLong() != etcd.clusterId()) {
                throw unavailable("a page of another cluster", null);
            }
            List<KeyValue> keyValues =
                    range.versions().stream().map(SimulatedEtcdSource::keyValue).toList();
            return new RangePage(
                    keyValues,
                    range.remaining() > 0,
                    keyValues.size() + range.remaining(),
                    etcd.revision(),
                    etcd.clusterId());
        } catch (FakeEtcd.Unreachable e) {
            throw unavailable("cut off", e);
        } catch (FakeEtcd.FutureRevision e) {
            throw new EtcdException(
                    EtcdException.Kind.FUTURE_REVISION, "above " + etcd.revision(), e);
        } catch (FakeEtcd.Compacted e) {
            throw new EtcdException(
                    EtcdException.Kind.COMPACTED, "compacted through " + e.compactedRevision(), e);
        }
    }

    private static EtcdException unavailable(String why, @Nullable Exception cause) {
        return new EtcdException(EtcdException.Kind.UNAVAILABLE, why, cause);
    }

    public static KeyValue keyValue(Version version) {
        return new KeyValue(
                version.key(),
                version.payload().value(),
                version.createRevision(),
                version.revision(),
                version.version(),
                version.lease());
    }

    @Override
    public EtcdWatch watch(long revision) {
        process.delay();
        try {
            SimulatedEtcdWatch opened =
                    new SimulatedEtcdWatch(
                            etcd, mutation.watchFrom(Math.max(1, revision)), process.coroutine());
            watch = opened;
            opened.awaitCreated(CALL_MILLIS);
            return opened;
        } catch (FakeEtcd.Unreachable e) {
            throw unavailable("cut off", e);
        }
    }

    /** Ends the streams of a process that died. */
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
