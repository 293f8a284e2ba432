package io.tidemark.store.rocksdb;

import io.tidemark.store.engine.KeyValueEngine.Family;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Filter;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RocksDB;

/** The RocksDB options of an engine; owns the native option objects. */
final class RocksOptions implements AutoCloseable {
    /** Large blocks make scans of objects faster and compress better; single reads stay as fast. */
    private static final int OBJECT_BLOCK_BYTES = 64 << 10;

    private static final int SMALL_BLOCK_BYTES = 16 << 10;
    private static final int OBJECT_BUFFER_BYTES = 32 << 20;
    private static final int SMALL_BUFFER_BYTES = 8 << 20;

    private final DBOptions database;
    private final Filter filter = new BloomFilter(10);
    private final List<ColumnFamilyOptions> families = new ArrayList<>();
    private final RocksMemory memory;

    RocksOptions(RocksMemory memory) {
        this.memory = memory;
        this.database =
                new DBOptions()
                        .setCreateIfMissing(true)
                        .setCreateMissingColumnFamilies(true)
                        .setAtomicFlush(true)
                        .setAvoidFlushDuringShutdown(true)
                        .setWriteBufferManager(memory.writeBuffers())
                        .setMaxBackgroundJobs(2)
                        .setMaxOpenFiles(memory.openFiles())
                        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                        .setMaxLogFileSize(1 << 20)
                        .setKeepLogFileNum(2);
    }

    DBOptions database() {
        return database;
    }

    /** RocksDB's default family first, then those of ours in the order of the set. */
    List<ColumnFamilyDescriptor> descriptors(Set<Family> opened) {
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(
                new ColumnFamilyDescriptor(
                        RocksDB.DEFAULT_COLUMN_FAMILY,
                        options(SMALL_BLOCK_BYTES, SMALL_BUFFER_BYTES)));
        for (Family family : opened) {
            ColumnFamilyOptions options =
                    switch (family) {
                        case OBJECTS, METADATA, VERSIONS, PROTOBUF ->
                                options(OBJECT_BLOCK_BYTES, OBJECT_BUFFER_BYTES);
                        case CHECKSUMS, HISTORY, INDEX, META, PROTOBUF_LENGTH ->
                                options(SMALL_BLOCK_BYTES, SMALL_BUFFER_BYTES);
                    };
            descriptors.add(new ColumnFamilyDescriptor(name(family), options));
        }
        return descriptors;
    }

    /** The name on disk. */
    static byte[] name(Family family) {
        return family.name().getBytes(StandardCharsets.UTF_8);
    }

    private ColumnFamilyOptions options(int blockBytes, int bufferBytes) {
        BlockBasedTableConfig table =
                new BlockBasedTableConfig()
                        .setBlockCache(memory.blocks())
                        .setBlockSize(blockBytes)
                        .setFilterPolicy(filter)
                        .setIndexType(IndexType.kBinarySearch)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setFormatVersion(5);
        ColumnFamilyOptions options =
                new ColumnFamilyOptions()
                        .setTableFormatConfig(table)
                        .setWriteBufferSize(bufferBytes)
                        .setMaxWriteBufferNumber(3)
                        .setCompressionType(CompressionType.LZ4_COMPRESSION)
                        .setLevelCompactionDynamicLevelBytes(true);
        families.add(options);
        return options;
    }

    @Override
    public void close() {
        database.close();
        families.forEach(ColumnFamilyOptions::close);
        filter.close();
    }
}
