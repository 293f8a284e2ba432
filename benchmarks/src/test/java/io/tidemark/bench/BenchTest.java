package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.http.Target;
import io.tidemark.bench.load.Latency;
import io.tidemark.bench.load.Measurement;
import io.tidemark.bench.load.Workload;
import io.tidemark.bench.report.ResultFile;
import java.net.URI;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class BenchTest {
    /** A workload that takes no time. */
    private record Nothing(String name) implements Workload {
        @Override
        public String title() {
            return "nothing";
        }

        @Override
        public String unit() {
            return "second";
        }

        @Override
        public Outcome run(Target target) {
            return new Outcome(new Usage(1, 1, 1, 1), 1, 0, 0, "", Latency.NONE);
        }
    }

    private static Target target(String name) throws Exception {
        URI base = URI.create("http://127.0.0.1:1");
        return new Target(name, base, null, SSLContext.getDefault(), false, 0);
    }

    @Test
    void eachRoundBeginsWithTheReferenceAndServersTakeTurns() throws Exception {
        Bench bench =
                new Bench(List.of(target("a"), target("b")), List.of(new Nothing("rest")), _ -> {});

        ResultFile result = bench.run(2, Map.of());

        assertThat(result.measurements())
                .extracting(Measurement::round, Measurement::workload, Measurement::target)
                .extracting(each -> each.toList().toString())
                .containsExactly(
                        "[1, send, machine]",
                        "[1, rest, b]",
                        "[1, rest, a]",
                        "[2, send, machine]",
                        "[2, rest, a]",
                        "[2, rest, b]");
        assertThat(result.workloads()).containsOnlyKeys("send", "rest");
    }
}
