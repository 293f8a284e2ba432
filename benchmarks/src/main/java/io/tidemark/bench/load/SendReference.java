package io.tidemark.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The reference of a run, a program that only sends: CPU time of writes to a TCP socket of the
 * loopback interface. It measures the machine and no server, so that CPU times of two machines, or
 * of one machine at two times, can be compared by their ratio to it.
 *
 * <p>The thread that writes also reads, after each write. Between two threads the kernel divides
 * the work of a transfer by which of them waits: on one machine the share of the thread that wrote
 * was 6 to 33 ms for 100 MB. Of one thread the same writes took 13.0 to 13.4 ms, also while other
 * programs used all cores.
 */
public final class SendReference {
    /** In {@link Measurement#workload}. */
    public static final String WORKLOAD = "send";

    /** In {@link Measurement#target}, in the place of a server. */
    public static final String MACHINE = "machine";

    public static final String TITLE = "a program that only sends";

    private static final String UNIT = "100 MB";
    private static final int UNIT_BYTES = 100_000_000;

    /** Less than a second in all. */
    private static final int UNITS = 20;

    private static final int WRITE_BYTES = 64 << 10;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final SocketChannel writer;
    private final SocketChannel reader;

    // Outside of the heap: the JVM would copy an array before each write.
    private final ByteBuffer out = ByteBuffer.allocateDirect(WRITE_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(WRITE_BYTES);

    private SendReference(SocketChannel writer, SocketChannel reader) {
        this.writer = writer;
        this.reader = reader;
    }

    /**
     * Sends 2 GB, after 100 MB that are not measured. The CPU time is that of the writes alone, the
     * kernel's in them included. A platform thread must call it.
     *
     * @param round from 1
     * @throws IOException when the machine has no loopback interface, or breaks the connection
     */
    public static Measurement measure(int round) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel writer = SocketChannel.open(server.getLocalAddress());
                    SocketChannel reader = server.accept()) {
                // A blocking write that does not fit would wait for the reads of this thread.
                writer.configureBlocking(false);
                // The end of a write would wait for the acknowledgement of its beginning.
                writer.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SendReference pair = new SendReference(writer, reader);
                long _ = pair.send(1);
                long began = System.nanoTime();
                long cpuNanos = pair.send(UNITS);
                return measured(round, (System.nanoTime() - began) / 1e9, cpuNanos);
            }
        }
    }

    private static Measurement measured(int round, double seconds, long cpuNanos) {
        return new Measurement(
                MACHINE,
                WORKLOAD,
                round,
                UNIT,
                UNITS,
                seconds,
                (long) UNITS * UNIT_BYTES,
                0,
                "",
                Math.round(cpuNanos / 1e6),
                0,
                0,
                0,
                Latency.NONE);
    }

    /** Returns nanoseconds of CPU time. */
    private long send(int units) throws IOException {
        long cpuNanos = 0;
        for (long left = (long) units * UNIT_BYTES; left > 0; left -= out.limit()) {
            out.clear().limit((int) Math.min(left, WRITE_BYTES));
            int received = 0;
            while (received < out.limit()) {
                if (out.hasRemaining()) {
                    long before = THREADS.getCurrentThreadCpuTime();
                    writer.write(out);
                    cpuNanos += THREADS.getCurrentThreadCpuTime() - before;
                }
                if (received < out.position()) {
                    received += receive();
                }
            }
        }
        return cpuNanos;
    }

    /** Waits for bytes that are on their way. */
    private int receive() throws IOException {
        int count = reader.read(in.clear());
        if (count < 0) {
            throw new EOFException("the loopback connection was closed");
        }
        return count;
    }
}
