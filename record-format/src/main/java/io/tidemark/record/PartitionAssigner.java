package io.tidemark.record;

import java.util.zip.CRC32C;

/**
 * Assigns keys to partitions of the mirror topic: CRC-32C of the key's directory (through its last
 * {@code /}; the empty string when it has none), modulo the number of partitions. So the keys of
 * one directory, such as one namespace's pods, share a partition, and one node can answer a request
 * for them.
 */
public record PartitionAssigner(int partitions) {
    public PartitionAssigner {
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions: " + partitions);
        }
    }

    public int partitionOf(Bytes key) {
        return partitionOfDirectory(directoryOf(key));
    }

    /** The partition of every key directly in {@code directory}, which ends with a slash. */
    public int partitionOfDirectory(Bytes directory) {
        CRC32C crc = new CRC32C();
        crc.update(directory.array(), 0, directory.length());
        return (int) (crc.getValue() % partitions);
    }

    public static Bytes directoryOf(Bytes key) {
        for (int i = key.length() - 1; i >= 0; i--) {
            if (key.at(i) == '/') {
                return key.slice(0, i + 1);
            }
        }
        return Bytes.EMPTY;
    }
}
