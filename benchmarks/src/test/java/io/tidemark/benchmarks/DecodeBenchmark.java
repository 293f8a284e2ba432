package io.tidemark.benchmarks;

import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.structural.CustomResources;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.record.Bytes;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decodes stored values to served JSON, on one thread. Target: 5,000 pods of 10 KB of JSON per
 * second on one core. The values are synthetic, with realistic proportions: half of a pod is
 * managedFields.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class DecodeBenchmark {
    private static final long REVISION = 123_456;

    private final KubernetesDecoder decoder = new KubernetesDecoder();
    private final byte[] pod = StoredValues.pod();
    private final byte[] configMap = StoredValues.configMap();
    private final byte[] customResource = StoredValues.customResource();
    private final CustomResources resource =
            CustomResources.compile(StoredValues.definition(), 1 << 20);

    /** About 10 KB of JSON. */
    @Benchmark
    public DecodeResult pod() {
        return decoder.decode(pod, REVISION);
    }

    /** About 3 KB of JSON. */
    @Benchmark
    public DecodeResult configMap() {
        return decoder.decode(configMap, REVISION);
    }

    /** About 0.6 KB of JSON, pruned and defaulted by a schema. */
    @Benchmark
    public Bytes customResource() {
        return resource.served(customResource, REVISION);
    }
}
