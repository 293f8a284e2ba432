package io.tidemark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendReferenceTest {
    @Test
    void measuresTheCpuTimeOfWrites() throws Exception {
        Measurement sent = SendReference.measure(2);

        assertThat(sent.target()).isEqualTo("machine");
        assertThat(sent.workload()).isEqualTo("send");
        assertThat(sent.round()).isEqualTo(2);
        assertThat(sent.bytes()).isEqualTo(sent.units() * 100_000_000);
        // The writes of one thread take no longer than all of it; the figure is rounded.
        assertThat(sent.serverCpuMillis()).isPositive();
        assertThat(sent.serverCpuMillis() / 1e3).isLessThanOrEqualTo(sent.seconds() + 0.001);
    }
}
