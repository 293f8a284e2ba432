package io.tidemark.peer;

import io.tidemark.peer.link.StateFeed;
import io.tidemark.peer.link.TimedRead;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.view.PartitionDirectory;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Writes the frames of a {@link StateFeed} to one other node. */
final class StateStream {
    private final StateFeed feed;
    private final WireVersion version;
    private final CountDownLatch leavingSent = new CountDownLatch(1);
    private volatile @Nullable Thread writer;

    /**
     * @param version that the other node requested
     */
    StateStream(PartitionDirectory local, WireVersion version) {
        this.feed = new StateFeed(local, TimedRead.IN_A_THREAD, System::nanoTime, this::wake);
        this.version = version;
    }

    StateFeed feed() {
        return feed;
    }

    /** Waits until the leaving notice has been sent, or the stream has ended. */
    void awaitLeavingSent(long deadlineNanos) throws InterruptedException {
        boolean _ = leavingSent.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Writes frames until {@code ended}; throws when the other node has gone. */
    void writeTo(OutputStream stream, BooleanSupplier ended) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        writer = Thread.currentThread();
        try (feed) {
            while (!ended.getAsBoolean()) {
                StateFrame next = feed.next();
                byte[] frame = version.encodeFrame(next);
                out.writeInt(frame.length);
                out.write(frame);
                out.flush();
                if (next.leaving()) {
                    leavingSent.countDown();
                }
                if (!feed.hasMoved()) {
                    LockSupport.parkNanos(this, StateFeed.HEARTBEAT.toNanos());
                }
                if (Thread.interrupted()) {
                    return;
                }
            }
        } finally {
            leavingSent.countDown();
        }
    }

    private void wake() {
        LockSupport.unpark(writer);
    }
}
