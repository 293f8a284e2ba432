package io.tidemark.store.engine;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine on a disk that can stop answering: a read then waits in native code, as in RocksDB, and
 * holds its thread.
 */
public final class StallingEngine extends ForwardingEngine {
    private static final MethodHandle USLEEP =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().find("usleep").orElseThrow(),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean stalled;

    public StallingEngine(KeyValueEngine engine) {
        super(engine);
    }

    /** Makes reads wait, or continue. */
    public void stall(boolean now) {
        stalled = now;
    }

    /** How many reads wait for the disk. */
    public int waiting() {
        return waiting.get();
    }

    @Override
    public Snapshot snapshot() {
        waiting.incrementAndGet();
        try {
            while (stalled) {
                int _ = (int) USLEEP.invokeExact(2_000);
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            waiting.decrementAndGet();
        }
        return super.snapshot();
    }
}
