package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import org.jspecify.annotations.Nullable;

/** Counts the entries of one family that are read. For one thread. */
public final class ReadCounter extends ForwardingEngine {
    private final Family watched;
    private int reads;

    /**
     * @param watched family whose entries are counted
     */
    public ReadCounter(KeyValueEngine engine, Family watched) {
        super(engine);
        this.watched = watched;
    }

    /** Those since the last call. */
    public int takeReads() {
        int taken = reads;
        reads = 0;
        return taken;
    }

    private void count(Family family) {
        if (family == watched) {
            reads++;
        }
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        count(family);
        return super.get(family, key);
    }

    @Override
    public Snapshot snapshot() {
        return new Counted(super.snapshot());
    }

    private final class Counted extends ForwardingSnapshot {
        Counted(Snapshot snapshot) {
            super(snapshot);
        }

        @Override
        public byte @Nullable [] get(Family family, Bytes key) {
            count(family);
            return super.get(family, key);
        }

        @Override
        public Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive) {
            Cursor cursor = super.scan(family, fromInclusive, toExclusive);
            return new Cursor() {
                @Override
                public boolean isValid() {
                    return cursor.isValid();
                }

                @Override
                public Bytes key() {
                    return cursor.key();
                }

                @Override
                public byte[] value() {
                    count(family);
                    return cursor.value();
                }

                @Override
                public void next() {
                    cursor.next();
                }

                @Override
                public void seek(Bytes keyInclusive) {
                    cursor.seek(keyInclusive);
                }

                @Override
                public void close() {
                    cursor.close();
                }
            };
        }
    }
}
