package io.tidemark.simulation.disk;

import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.store.engine.EngineException;
import io.tidemark.store.engine.ForwardingEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.WriteBatch;
import java.io.IOException;

/** A node's disk, which may be full: then its engines refuse writes, and serve reads. */
public final class FakeDisk {
    private final Scheduler scheduler;
    private final boolean reportsFull;
    private boolean full;

    /**
     * @param reportsFull false for a disk that loses what it cannot write, for checking the checker
     */
    public FakeDisk(Scheduler scheduler, boolean reportsFull) {
        this.scheduler = scheduler;
        this.reportsFull = reportsFull;
    }

    public void full(boolean now) {
        full = now;
    }

    /** The engine on this disk. */
    public KeyValueEngine engine(KeyValueEngine engine) {
        return new Engine(engine);
    }

    /** Whether there is no space; a write is refused then, unless the disk loses it. */
    private boolean hasNoSpace() {
        if (!full) {
            return false;
        }
        scheduler.count(CoverageEvent.WRITES_WITHOUT_SPACE);
        if (reportsFull) {
            throw new EngineException(
                    "no write",
                    new IOException("No space left on device"),
                    EngineException.Fault.NO_SPACE);
        }
        return true;
    }

    private final class Engine extends ForwardingEngine {
        private final KeyValueEngine engine;

        Engine(KeyValueEngine engine) {
            super(engine);
            this.engine = engine;
        }

        @Override
        public void write(WriteBatch batch) {
            if (!hasNoSpace()) {
                super.write(batch);
            }
        }

        @Override
        public void flush() {
            if (!hasNoSpace()) {
                super.flush();
            }
        }

        @Override
        public void flushSoon() {
            flush();
        }

        @Override
        public Snapshot cachedSnapshot() {
            return engine.cachedSnapshot();
        }
    }
}
