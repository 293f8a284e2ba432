package io.tidemark.harness;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A segment of a broker's log, batch by batch, in order to corrupt one. */
public record LogSegment(Path file) {
    private static final int LENGTH_AT = 8;
    private static final int OVERHEAD = 12;
    private static final int ATTRIBUTES_AT = 21;
    private static final int LAST_DELTA_AT = 23;
    private static final int RECORDS_AT = 61;
    private static final int CONTROL = 0x20;

    /**
     * A batch of records.
     *
     * @param at its position in the file
     * @param control whether it is the end of a transaction
     */
    public record Batch(long at, int bytes, long firstOffset, long lastOffset, boolean control) {}

    public List<Batch> batches() throws IOException {
        List<Batch> found = new ArrayList<>();
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long at = 0;
            while (at + RECORDS_AT <= in.length()) {
                in.seek(at);
                long first = in.readLong();
                in.seek(at + LENGTH_AT);
                int bytes = in.readInt() + OVERHEAD;
                in.seek(at + ATTRIBUTES_AT);
                boolean control = (in.readShort() & CONTROL) != 0;
                in.seek(at + LAST_DELTA_AT);
                if (bytes <= OVERHEAD || at + bytes > in.length()) {
                    break; // Space that a running broker has set aside.
                }
                found.add(new Batch(at, bytes, first, first + in.readInt(), control));
                at += bytes;
            }
        }
        return found;
    }

    /** Changes a byte of a batch's records, which its checksum covers. */
    public void flip(Batch batch) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            long at = batch.at() + (RECORDS_AT + batch.bytes()) / 2;
            out.seek(at);
            int before = out.read();
            out.seek(at);
            out.write(before ^ 0x5a);
        }
    }
}
