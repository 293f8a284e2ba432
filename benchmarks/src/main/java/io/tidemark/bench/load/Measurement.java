package io.tidemark.bench.load;

/**
 * One workload on one server, once.
 *
 * @param round from 1
 * @param unit what is counted: request, delivery, write, second
 * @param units completed ones
 * @param bytes of bodies received
 * @param failures requests that failed, or deliveries that did not arrive in time
 * @param firstFailure empty without one
 * @param serverCpuMillis 0 when the server's process is not known
 * @param ownCpuMillis of this program, writes to etcd included
 * @param serverMemoryBytes resident at the end
 * @param serverHeapBytes what the server's Java heap keeps for all units; 0 when not measured
 * @param latency of requests, or from the acknowledgement of a write to its delivery
 */
public record Measurement(
        String target,
        String workload,
        int round,
        String unit,
        long units,
        double seconds,
        long bytes,
        long failures,
        String firstFailure,
        long serverCpuMillis,
        long ownCpuMillis,
        long serverMemoryBytes,
        long serverHeapBytes,
        Latency latency) {
    /** CPU time of the server for one unit; 0 when nothing was completed. */
    public double serverCpuMicrosPerUnit() {
        return units == 0 ? 0 : serverCpuMillis * 1_000.0 / units;
    }

    /** Bytes of the server's Java heap for one unit; 0 when not measured. */
    public double serverHeapBytesPerUnit() {
        return units == 0 ? 0 : (double) serverHeapBytes / units;
    }

    public double unitsPerSecond() {
        return seconds == 0 ? 0 : units / seconds;
    }
}
