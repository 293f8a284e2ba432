package io.tidemark.connector.lead;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import io.tidemark.record.Bytes;

/** An etcd that does not answer. */
class UnreachableEtcd implements EtcdSource {
    private static EtcdException noAnswer() {
        return new EtcdException(Kind.UNAVAILABLE, "etcd is unreachable", null);
    }

    @Override
    public EtcdView view() {
        throw noAnswer();
    }

    @Override
    public Newest newest() {
        throw noAnswer();
    }

    @Override
    public long oldestRevision() {
        throw noAnswer();
    }

    @Override
    public RangePage list(Bytes from, long revision, int limit) {
        throw noAnswer();
    }

    @Override
    public EtcdWatch watch(long revision) {
        throw noAnswer();
    }

    @Override
    public void close() {}
}
