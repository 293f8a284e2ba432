package io.tidemark.bench.load;

import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.util.Optional;

/** Something to measure. Its name is stable: results are compared by it. */
public interface Workload {
    String name();

    /** One line: what is asked, and of how much. */
    String title();

    /** Counted by {@link Outcome#units}; singular. */
    String unit();

    /** Whether it updates pods in etcd, which must be there. */
    default boolean writes() {
        return false;
    }

    /** Whether a server has what it needs; it is left out on others. */
    default boolean runsOn(Target target) {
        return true;
    }

    /** Runs right after this one in the same turn, unless this one failed; most have none. */
    default Optional<Workload> next() {
        return Optional.empty();
    }

    /**
     * Runs once.
     *
     * @throws IOException when the server cannot be reached at all, or etcd cannot
     */
    Outcome run(Target target) throws IOException, InterruptedException;

    /** What happened between the start and the end of the measured part. */
    record Outcome(
            Usage usage,
            long units,
            long bytes,
            long failures,
            String firstFailure,
            Latency latency,
            long serverHeapBytes) {
        /** Of a workload that does not look at the heap. */
        public Outcome(
                Usage usage,
                long units,
                long bytes,
                long failures,
                String firstFailure,
                Latency latency) {
            this(usage, units, bytes, failures, firstFailure, latency, 0);
        }

        /** Of a workload that did not come to its measured part. */
        static Outcome failed(String why) {
            Failures failures = new Failures();
            failures.add(why);
            return new Outcome(
                    new Usage(0, 0, 0, 0), 0, 0, failures.count(), failures.first(), Latency.NONE);
        }

        public Measurement of(Workload workload, Target target, int round) {
            return new Measurement(
                    target.name(),
                    workload.name(),
                    round,
                    workload.unit(),
                    units,
                    usage.seconds(),
                    bytes,
                    failures,
                    firstFailure,
                    usage.serverCpuMillis(),
                    usage.ownCpuMillis(),
                    usage.serverMemoryBytes(),
                    serverHeapBytes,
                    latency);
        }
    }

    /** Use of processes and of time between two moments. */
    record Usage(double seconds, long serverCpuMillis, long ownCpuMillis, long serverMemoryBytes) {
        /** The first moment. */
        static final class Meter {
            private final long process;
            private final ProcessUsage server;
            private final ProcessUsage own;
            private final long began;

            Meter(Target target) throws IOException {
                process = target.process();
                server = ProcessUsage.of(process);
                own = ProcessUsage.own();
                began = System.nanoTime();
            }

            Usage read() throws IOException {
                double seconds = (System.nanoTime() - began) / 1e9;
                ProcessUsage now = ProcessUsage.of(process);
                return new Usage(
                        seconds,
                        now.cpuMillis() - server.cpuMillis(),
                        ProcessUsage.own().cpuMillis() - own.cpuMillis(),
                        now.memoryBytes());
            }
        }
    }
}
