package io.tidemark.connector.lead;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EtcdReachabilityProbeTest {
    /** Fails once as no source should, then answers. */
    private static final class FailingOnce extends UnreachableEtcd {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Newest newest() {
            if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("a bug");
            }
            return new Newest(1, 12);
        }
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
