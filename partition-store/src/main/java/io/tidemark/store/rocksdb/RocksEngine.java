package io.tidemark.store.rocksdb;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.EngineException;
import io.tidemark.store.engine.EngineException.Fault;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.WriteBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * The engine on RocksDB: a folder, with a column family per family. There is no write-ahead log:
 * what was not flushed when the process dies is read from the topic again, and the flush is atomic
 * over all families, so the offset on disk always matches the data. A corrupt folder is set aside,
 * and an empty one takes its place.
 */
public final class RocksEngine implements KeyValueEngine {
    /** How long a write waits for flushes: less than Kafka waits for a consumer's next poll. */
    private static final Duration STALL_LIMIT = Duration.ofMinutes(2);

    private static final Duration STALL_PAUSE = Duration.ofMillis(5);

    private final Path folder;
    private final RocksOptions options;
    private final RocksDB db;
    private final EnumMap<Family, ColumnFamilyHandle> handles;
    private final WriteOptions writeOptions =
            new WriteOptions().setDisableWAL(true).setNoSlowdown(true);

    private RocksEngine(
            Path folder,
            RocksOptions options,
            RocksDB db,
            EnumMap<Family, ColumnFamilyHandle> handles) {
        this.folder = folder;
        this.options = options;
        this.db = db;
        this.handles = handles;
    }

    /** Opens a folder for a store that keeps JSON only. */
    public static RocksEngine open(Path folder, RocksMemory memory) {
        return open(folder, memory, false);
    }

    /**
     * Opens a folder; creates it if it does not exist.
     *
     * @param memory must outlive this engine
     * @param protobuf whether it has the families of that form; if not, what it has had of them is
     *     dropped
     */
    public static RocksEngine open(Path folder, RocksMemory memory, boolean protobuf) {
        Set<Family> families = EnumSet.allOf(Family.class);
        if (!protobuf) {
            families.removeAll(Set.of(Family.PROTOBUF, Family.PROTOBUF_LENGTH));
        }
        CorruptStoreFolder corrupt = new CorruptStoreFolder(folder);
        corrupt.quarantineIfMarked();
        try {
            return openExisting(folder, memory, families);
        } catch (RocksDBException e) {
            if (!CorruptStoreFolder.isCorruption(e)) {
                throw new EngineException("cannot open " + folder, e, fault(e));
            }
            corrupt.quarantine(e.getMessage());
        }
        try {
            return openExisting(folder, memory, families);
        } catch (RocksDBException e) {
            throw new EngineException("cannot open " + folder, e, fault(e));
        }
    }

    private static RocksEngine openExisting(Path folder, RocksMemory memory, Set<Family> families)
            throws RocksDBException {
        RocksEngine engine = openWhole(folder, memory, families);
        try {
            engine.dropAllBut(families);
            return engine;
        } catch (RocksDBException | RuntimeException e) {
            // An open database holds the folder's lock, so that this process could not open it
            // again, for example after its disk was full.
            engine.abandon();
            throw e;
        }
    }

    /** With at least these families. */
    private static RocksEngine openWhole(Path folder, RocksMemory memory, Set<Family> families)
            throws RocksDBException {
        RocksOptions options = new RocksOptions(memory);
        List<ColumnFamilyHandle> opened = new ArrayList<>();
        try {
            // RocksDB opens a folder only with all families that it has.
            Set<Family> present = EnumSet.copyOf(families);
            present.addAll(existing(folder));
            RocksDB db =
                    RocksDB.open(
                            options.database(),
                            folder.toString(),
                            options.descriptors(present),
                            opened);
            // The first is RocksDB's own default family, which stays empty.
            Iterator<ColumnFamilyHandle> each = opened.iterator();
            each.next().close();
            EnumMap<Family, ColumnFamilyHandle> handles = new EnumMap<>(Family.class);
            for (Family family : present) {
                handles.put(family, each.next());
            }
            return new RocksEngine(folder, options, db, handles);
        } catch (RocksDBException | RuntimeException e) {
            options.close();
            throw e;
        }
    }

    private static Set<Family> existing(Path folder) throws RocksDBException {
        Set<Family> found = EnumSet.noneOf(Family.class);
        if (Files.exists(folder.resolve("CURRENT"))) {
            try (Options options = new Options()) {
                List<byte[]> names = RocksDB.listColumnFamilies(options, folder.toString());
                for (Family family : Family.values()) {
                    byte[] name = RocksOptions.name(family);
                    if (names.stream().anyMatch(each -> Arrays.equals(each, name))) {
                        found.add(family);
                    }
                }
            }
        }
        return found;
    }

    /**
     * A drop is durable at once. So what says that the form is complete must be gone before: else a
     * crash could bring it back, beside families that are empty when they are made again.
     */
    private void dropAllBut(Set<Family> families) throws RocksDBException {
        Set<Family> unwanted = EnumSet.copyOf(handles.keySet());
        unwanted.removeAll(families);
        if (unwanted.isEmpty()) {
            return;
        }
        db.delete(handle(Family.META), writeOptions, KeyValueEngine.PROTOBUF_MAKER.array());
        flush();
        for (Family family : unwanted) {
            try (ColumnFamilyHandle handle = handle(family)) {
                db.dropColumnFamily(handle);
            }
            handles.remove(family);
        }
    }

    @Override
    public byte @Nullable [] get(Family family, Bytes key) {
        try {
            return db.get(handle(family), key.array());
        } catch (RocksDBException e) {
            throw failed("read", e);
        }
    }

    @Override
    public void write(WriteBatch batch) {
        try (org.rocksdb.WriteBatch writes = new org.rocksdb.WriteBatch()) {
            for (Family family : Family.values()) {
                Map<Bytes, @Nullable Bytes> ofFamily = batch.writesOf(family);
                if (!handles.containsKey(family) && ofFamily.isEmpty()) {
                    continue;
                }
                ColumnFamilyHandle handle = handle(family);
                if (batch.clears()) {
                    clear(handle, writes);
                }
                for (Map.Entry<Bytes, @Nullable Bytes> write : ofFamily.entrySet()) {
                    @Nullable Bytes value = write.getValue();
                    if (value == null) {
                        writes.delete(handle, write.getKey().array());
                    } else {
                        writes.put(handle, write.getKey().array(), value.array());
                    }
                }
            }
            writeOnceNotStalled(writes);
        } catch (RocksDBException e) {
            throw failed("write", e);
        }
    }

    /**
     * Retries a write while flushes lag. RocksDB could wait by itself, but a write that is waiting
     * when the disk becomes full waits until there is space: only a write that starts later gets
     * the error.
     */
    private void writeOnceNotStalled(org.rocksdb.WriteBatch writes) throws RocksDBException {
        long deadline = System.nanoTime() + STALL_LIMIT.toNanos();
        while (true) {
            try {
                db.write(writeOptions, writes);
                return;
            } catch (RocksDBException e) {
                if (!isStall(e) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            try {
                Thread.sleep(STALL_PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EngineException("interrupted while writing to " + folder, e);
            }
        }
    }

    private static boolean isStall(RocksDBException e) {
        @Nullable Status status = e.getStatus();
        return status != null && status.getCode() == Status.Code.Incomplete;
    }

    /** A range delete's end is exclusive, so the last key is deleted separately. */
    private void clear(ColumnFamilyHandle handle, org.rocksdb.WriteBatch writes)
            throws RocksDBException {
        try (RocksIterator last = db.newIterator(handle)) {
            last.seekToLast();
            if (last.isValid()) {
                writes.deleteRange(handle, new byte[0], last.key());
                writes.delete(handle, last.key());
            }
            last.status();
        }
    }

    @Override
    public Snapshot snapshot() {
        return new RocksSnapshot(this, db, false);
    }

    @Override
    public Snapshot cachedSnapshot() {
        return new RocksSnapshot(this, db, true);
    }

    @Override
    public void flush() {
        flush(true);
    }

    @Override
    public void flushSoon() {
        flush(false);
    }

    private void flush(boolean wait) {
        // Unless write stalls are allowed, a flush on a full disk would wait like a write.
        try (FlushOptions how = new FlushOptions().setWaitForFlush(wait).setAllowWriteStall(true)) {
            db.flush(how, List.copyOf(handles.values()));
        } catch (RocksDBException e) {
            throw failed("flush", e);
        }
    }

    @Override
    public void close() {
        try {
            flush();
        } finally {
            abandon();
        }
    }

    /** Closes without a flush, like a crash: unflushed data is lost. */
    public void abandon() {
        handles.values().forEach(ColumnFamilyHandle::close);
        db.close();
        writeOptions.close();
        options.close();
    }

    ColumnFamilyHandle handle(Family family) {
        ColumnFamilyHandle handle = handles.get(family);
        if (handle == null) {
            throw new IllegalStateException("no such family: " + family);
        }
        return handle;
    }

    /** Also marks corrupt data, so that the next open sets it aside. */
    EngineException failed(String what, RocksDBException cause) {
        Fault fault = fault(cause);
        if (fault == Fault.CORRUPT) {
            markCorrupt(folder);
        }
        return new EngineException("cannot " + what + " in " + folder, cause, fault);
    }

    private static Fault fault(RocksDBException e) {
        @Nullable Status status = e.getStatus();
        if ((status != null && status.getSubCode() == Status.SubCode.NoSpace)
                || EngineException.isCausedByFullDisk(e)) {
            return Fault.NO_SPACE;
        }
        return CorruptStoreFolder.isCorruption(e) ? Fault.CORRUPT : Fault.OTHER;
    }

    /** Makes the next open set the folder aside and start with an empty one. */
    public static void markCorrupt(Path folder) {
        new CorruptStoreFolder(folder).mark();
    }
}
