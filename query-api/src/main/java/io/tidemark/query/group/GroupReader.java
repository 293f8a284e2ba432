package io.tidemark.query.group;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of a response whose groups may be known compressed: first the checksums of all
 * objects, which take a fraction of the time, and then the objects of those groups that are not
 * known. What lies between two of them is read and dropped if it is short, and skipped by another
 * scan if not. For one thread.
 */
public final class GroupReader {
    /**
     * As much as the beginning of another scan reads, about: a part of a page of each partition.
     */
    private static final long SHORT = 512 << 10;

    /** Checksums of so many bytes of objects are read before the first object is passed on. */
    static final long AHEAD = 256 << 10;

    private final ObjectScans scans;
    private final Projection projection;
    private final MergedScan checksums;

    /** Groups that wait until enough has been read ahead. */
    private final Deque<ObjectGroup> ahead = new ArrayDeque<>();

    private long aheadBytes;
    private boolean begun;
    private @Nullable MergedScan scan;
    private @Nullable StoredObject next;

    /** Bytes of groups that were not needed since the last one that was. */
    private long passed;

    /** Takes the objects of a response, in order. */
    public interface Taker {
        /**
         * Before the first object: how many bytes of objects follow, as they are stored.
         *
         * @param atLeast all, or so many that it is a long response
         */
        default void expect(long atLeast) {}

        /**
         * Takes a group of objects in {@link ChecksumForm}, if it is known.
         *
         * @return false if the objects have to be read
         */
        boolean copy(ObjectGroup group) throws IOException, InterruptedException;

        /** Takes an object, which is released afterwards. */
        void take(StoredObject object) throws IOException, InterruptedException;

        /** Whether it needs no more objects. */
        default boolean isFull() {
            return false;
        }
    }

    /**
     * @param projection of the objects that are read
     */
    public GroupReader(ObjectScans scans, Projection projection) {
        this.scans = scans;
        this.projection = projection;
        this.checksums = scans.begin(Projection.CHECKSUM);
    }

    /** Reads the first checksums: most errors show there. */
    public void prepare() throws InterruptedException {
        boolean _ = checksums.hasNext();
    }

    /**
     * Passes all objects on.
     *
     * @return how many there are
     */
    public long read(Taker taker) throws IOException, InterruptedException {
        long objects = 0;
        ObjectGroup group = new ObjectGroup();
        for (StoredObject object = checksums.next(); object != null; ) {
            boolean ends = group.add(object, isSummed(object));
            objects++;
            object = checksums.next();
            if (ends || object == null) {
                ahead.add(group);
                aheadBytes += group.bytes();
                group = new ObjectGroup();
                passAhead(taker, object == null);
                object = taker.isFull() ? abandon(object) : object;
            }
        }
        close();
        return objects;
    }

    private void passAhead(Taker taker, boolean all) throws IOException, InterruptedException {
        if (!begun && !all && aheadBytes < AHEAD) {
            return;
        }
        if (!begun) {
            taker.expect(aheadBytes);
            begun = true;
        }
        for (ObjectGroup group = ahead.poll(); group != null; group = ahead.poll()) {
            if (!taker.isFull()) {
                pass(group, taker);
            }
            group.objects().forEach(checksums::release);
        }
    }

    private @Nullable StoredObject abandon(@Nullable StoredObject following) {
        if (following != null) {
            checksums.release(following);
        }
        checksums.abandon();
        return null;
    }

    /** A node of an older release answers with whole objects. */
    private static boolean isSummed(StoredObject object) {
        return ChecksumForm.isIn(object) || !object.isMetadataOnly();
    }

    private void pass(ObjectGroup group, Taker taker) throws IOException, InterruptedException {
        if (taker.copy(group)) {
            passed += group.bytes();
            if (passed > SHORT) {
                close();
            }
        } else {
            readGroup(group, taker);
            passed = 0;
        }
    }

    /** Reads from the first to the last object of the group. */
    private void readGroup(ObjectGroup group, Taker taker)
            throws IOException, InterruptedException {
        Bytes first = group.objects().getFirst().key();
        Bytes last = group.objects().getLast().key();
        MergedScan from = scan;
        if (from == null) {
            from = scans.begin(projection, first);
            scan = from;
            next = from.next();
        }
        for (; next != null && next.key().compareTo(last) <= 0; next = from.next()) {
            if (next.key().compareTo(first) >= 0) {
                taker.take(next);
            }
            from.release(next);
        }
    }

    /** Frees what has been read of the objects. */
    private void close() {
        if (scan != null) {
            if (next != null) {
                scan.release(next);
            }
            scan.abandon();
        }
        scan = null;
        next = null;
    }
}
