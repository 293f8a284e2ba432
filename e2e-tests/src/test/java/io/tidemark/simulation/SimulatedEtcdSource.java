package io.tidemark.simulation;

import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.world.FakeEtcd;

/** The fake etcd behind the interface of the connector's own code. Watches do not go through it. */
final class SimulatedEtcdSource implements EtcdSource {
    private final FakeEtcd etcd;

    SimulatedEtcdSource(FakeEtcd etcd) {
        this.etcd = etcd;
    }

    @Override
    public EtcdView view() throws EtcdException {
        return new EtcdView(
                etcd.clusterId(),
                newest().revision(),
                "3.5.16",
                EtcdView.ProgressSupport.ON_REQUEST);
    }

    @Override
    public Newest newest() throws EtcdException {
        try {
            return new Newest(etcd.clusterId(), etcd.currentRevision());
        } catch (FakeEtcd.Unreachable e) {
            throw new EtcdException.Unavailable("cut off", e);
        }
    }

    @Override
    public long oldestRevision() throws EtcdException {
        Newest unused = newest();
        return etcd.compactedRevision();
    }

    @Override
    public Page list(Bytes fromKeyInclusive, long revision, int limit) throws EtcdException {
        try {
            FakeEtcd.Range range = etcd.range(Settings.PREFIX, fromKeyInclusive, limit, revision);
            return new Page(
                    range.versions().stream().map(SimulatedSource::keyValue).toList(),
                    range.remaining());
        } catch (FakeEtcd.Unreachable e) {
            throw new EtcdException.Unavailable("cut off", e);
        } catch (FakeEtcd.Compacted e) {
            throw new EtcdException.Compacted("compacted through " + e.compactedRevision());
        }
    }

    @Override
    public Watch watch(long fromRevisionInclusive) {
        throw new UnsupportedOperationException("watches are simulated streams");
    }

    @Override
    public void close() {}
}
