package io.tidemark.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connector.value.CanonicalJson;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Encodes etcd values as topic records: one pass over the bytes, against parse and print. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EncodeBenchmark {
    private static final ObjectMapper JACKSON = new ObjectMapper();

    @Param({"1000", "10000"})
    public int padding;

    private Bytes value = Bytes.EMPTY;

    @Setup
    public void fill() {
        value = Samples.pod(1, 41, padding);
    }

    @Benchmark
    public TopicRecord scanned() {
        return switch (CanonicalJson.of(value, 42)) {
            case CanonicalJson.Outcome.Canonical(Bytes json) -> record(json);
            case CanonicalJson.Outcome other -> throw new IllegalStateException(other.toString());
        };
    }

    @Benchmark
    public TopicRecord parsedAndPrinted() throws IOException {
        ObjectNode tree = (ObjectNode) JACKSON.readTree(value.array());
        ((ObjectNode) tree.get("metadata")).put("resourceVersion", "42");
        return record(Bytes.wrap(JACKSON.writeValueAsBytes(tree)));
    }

    private static TopicRecord record(Bytes json) {
        Change put = Samples.put(1, 42, 41, false, json);
        return ChangeCodec.encode(put);
    }
}
