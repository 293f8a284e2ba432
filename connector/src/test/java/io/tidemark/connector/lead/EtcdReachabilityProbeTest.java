package io.tidemark.connector.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EtcdReachabilityProbeTest {
    /** Fails once as no source should, then answers. */
    private static final class FailingOnce implements EtcdSource {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Newest newest() {
            if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("a bug");
            }
            return new Newest(1, 12);
        }

        @Override
        public EtcdView view() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long oldestRevision() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RangePage list(Bytes from, long revision, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public EtcdWatch watch(long from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    @Test
    void probesAgainAfterAnUnexpectedException() {
        FailingOnce source = new FailingOnce();
        try (EtcdReachabilityProbe probe = new EtcdReachabilityProbe(source)) {
            probe.start();
            Awaitility.await().until(() -> source.asked.get() > 1);
            Awaitility.await().until(() -> probe.unreachableFor().equals(Duration.ZERO));
            assertThat(source.asked).hasValueGreaterThan(1);
        }
    }
}
