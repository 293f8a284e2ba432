package io.tidemark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JavaHeapTest {
    @Test
    void measuresAJavaProcess() throws Exception {
        assertThat(JavaHeap.liveBytes(ProcessHandle.current().pid())).isPositive();
    }

    /** As an API server is: the signal with which jcmd begins would end it. */
    @Test
    void leavesOtherProcessesAlone() throws Exception {
        Process other = new ProcessBuilder("sleep", "300").start();
        try {
            assertThat(JavaHeap.liveBytes(other.pid())).isZero();
            assertThat(other.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            other.destroyForcibly();
        }
    }
}
