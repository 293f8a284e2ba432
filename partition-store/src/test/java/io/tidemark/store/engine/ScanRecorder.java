package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Records where scans begin. */
public final class ScanRecorder extends ForwardingEngine {
    private final Family watched;
    private final List<Bytes> begins = new ArrayList<>();

    /**
     * @param watched family whose scans are recorded
     */
    public ScanRecorder(KeyValueEngine engine, Family watched) {
        super(engine);
        this.watched = watched;
    }

    /** The start keys of the scans since the last call. */
    public List<Bytes> takeBegins() {
        List<Bytes> taken = List.copyOf(begins);
        begins.clear();
        return taken;
    }

    @Override
    public Snapshot snapshot() {
        return new Recorded(super.snapshot());
    }

    private final class Recorded extends ForwardingSnapshot {
        Recorded(Snapshot snapshot) {
            super(snapshot);
        }

        @Override
        public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
            if (family == watched) {
                begins.add(fromInclusive);
            }
            return super.scan(family, fromInclusive, toExclusive);
        }
    }
}
