package io.tidemark.simulation.cluster;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.Settings;
import java.util.List;

/** The fake etcd behind the interface of the connector's own code. Watches do not go through it. */
final class SimulatedEtcdSource implements EtcdSource {
    private final FakeEtcd etcd;

    SimulatedEtcdSource(FakeEtcd etcd) {
        this.etcd = etcd;
    }

    @Override
    public EtcdView view() {
        return new EtcdView(
                etcd.clusterId(), newest().revision(), "3.5.16", ProgressSupport.MANUAL);
    }

    @Override
    public Newest newest() {
        try {
            return new Newest(etcd.clusterId(), etcd.currentRevision());
        } catch (FakeEtcd.Unreachable e) {
            throw new EtcdException(EtcdException.Kind.UNAVAILABLE, "cut off", e);
        }
    }

    @Override
    public long oldestRevision() {
        Newest unused = newest();
        return etcd.compactedRevision();
    }

    @Override
    public RangePage list(Bytes fromKeyInclusive, long revision, int limit) {
        try {
            return page(etcd, fromKeyInclusive, revision, limit);
        } catch (FakeEtcd.Unreachable e) {
            throw new EtcdException(EtcdException.Kind.UNAVAILABLE, "cut off", e);
        } catch (FakeEtcd.Compacted e) {
            throw new EtcdException(
                    EtcdException.Kind.COMPACTED, "compacted through " + e.compactedRevision(), e);
        }
    }

    static RangePage page(FakeEtcd etcd, Bytes from, long revision, int limit)
            throws FakeEtcd.Unreachable, FakeEtcd.Compacted {
        FakeEtcd.Range range = etcd.range(Settings.PREFIX, from, limit, revision);
        List<KeyValue> keyValues =
                range.versions().stream().map(SimulatedSource::keyValue).toList();
        return new RangePage(
                keyValues,
                range.remaining() > 0,
                keyValues.size() + range.remaining(),
                revision,
                etcd.clusterId());
    }

    @Override
    public EtcdWatch watch(long fromRevisionInclusive) {
        throw new UnsupportedOperationException("watches are simulated streams");
    }

    @Override
    public void close() {}
}
