package io.tidemark.query.golden;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.tukaani.xz.XZInputStream;

/**
 * Reads the newest keys and values out of an etcd snapshot, which is a bbolt file: a B+ tree of
 * pages, whose bucket {@code key} holds every version by its revision. No etcd is needed.
 */
public final class EtcdSnapshot {
    private static final int HEADER = 16;
    private static final int ELEMENT = 16;
    private static final int BRANCH = 1;
    private static final int LEAF = 2;

    /** Main revision, an underscore, and the index in it; a deletion has a letter more. */
    private static final int REVISION = 17;

    private final ByteBuffer file;
    private final int pageSize;

    private EtcdSnapshot(byte[] bytes) {
        this.file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.pageSize = file.getInt(HEADER + 8);
    }

    /** The values by key, as of the snapshot's revision. */
    public static SortedMap<String, byte[]> read(Path xz) throws IOException {
        try (InputStream in = new XZInputStream(Files.newInputStream(xz))) {
            return new EtcdSnapshot(in.readAllBytes()).newest();
        }
    }

    private SortedMap<String, byte[]> newest() {
        SortedMap<String, byte[]> values = new TreeMap<>();
        elements(
                page(bucket("key")),
                (revision, record) -> {
                    KeyValue pair = KeyValue.parse(record);
                    if (revision.length > REVISION) {
                        values.remove(pair.key);
                    } else {
                        values.put(pair.key, pair.value);
                    }
                });
        return values;
    }

    /** The root page of a bucket, by the newer of the two meta pages. */
    private long bucket(String name) {
        int transaction = HEADER + 48;
        int meta = file.getLong(transaction) > file.getLong(pageSize + transaction) ? 0 : pageSize;
        long[] found = {-1};
        elements(
                page(file.getLong(meta + HEADER + 16)),
                (key, value) -> {
                    if (new String(key, StandardCharsets.US_ASCII).equals(name)) {
                        found[0] = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
                    }
                });
        return found[0];
    }

    private int page(long id) {
        return Math.toIntExact(id * pageSize);
    }

    /** Passes keys and values below a page, in the order of keys. */
    private void elements(int page, BiConsumer<byte[], byte[]> action) {
        int kind = file.getShort(page + 8);
        int count = file.getShort(page + 10) & 0xffff;
        for (int i = 0; i < count; i++) {
            int at = page + HEADER + i * ELEMENT;
            switch (kind) {
                case BRANCH -> elements(page(file.getLong(at + 8)), action);
                case LEAF -> {
                    int key = at + file.getInt(at + 4);
                    int value = key + file.getInt(at + 8);
                    action.accept(bytes(key, value), bytes(value, value + file.getInt(at + 12)));
                }
                default -> throw new IllegalStateException("page of kind " + kind);
            }
        }
    }

    private byte[] bytes(int from, int to) {
        return Arrays.copyOfRange(file.array(), from, to);
    }

    /** Of the message that etcd stores, the two fields that matter. */
    private record KeyValue(String key, byte[] value) {
        static KeyValue parse(byte[] message) {
            ByteBuffer in = ByteBuffer.wrap(message);
            String key = "";
            byte[] value = {};
            while (in.hasRemaining()) {
                long tag = varint(in);
                if ((tag & 7) != 2) {
                    varint(in);
                    continue;
                }
                byte[] field = new byte[Math.toIntExact(varint(in))];
                in.get(field);
                if (tag >>> 3 == 1) {
                    key = new String(field, StandardCharsets.UTF_8);
                } else if (tag >>> 3 == 5) {
                    value = field;
                }
            }
            return new KeyValue(key, value);
        }

        private static long varint(ByteBuffer in) {
            long value = 0;
            int shift = 0;
            byte next;
            do {
                next = in.get();
                value |= (next & 0x7fL) << shift;
                shift += 7;
            } while (next < 0);
            return value;
        }
    }
}
