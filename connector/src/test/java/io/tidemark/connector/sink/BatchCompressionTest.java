package io.tidemark.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchCompressionTest {
    private static final int LIMIT = 8 << 20;

    private final ParallelMap parallel = new ParallelMap(1);
    private final KubernetesKeys keys = new KubernetesKeys(Bytes.utf8("/k/"));
    private final ChangeBuilder builder =
            new ChangeBuilder(
                    keys, new ValueReader(keys, ValueDecoder.NONE), parallel, false, LIMIT);

    @AfterEach
    void closeParallel() {
        parallel.close();
    }

    /** As Snappy's class, which loads its library when it is initialized. */
    static final class Unloadable {
        static {
            load();
        }

        private Unloadable() {}

        private static void load() {
            throw new AssertionError("FAILED_TO_LOAD_NATIVE_LIBRARY");
        }
    }

    @Test
    void snappyIsUsedWhereItsLibraryCanBeLoaded() {
        assertThat(BatchCompression.codec(BatchCompression.SNAPPY)).isEqualTo("snappy");
    }

    @Test
    void lz4IsUsedElsewhere() {
        assertThat(BatchCompression.codec(Unloadable.class.getName())).isEqualTo("lz4");
        // The second time the class is known to have failed, which is another error.
        assertThat(BatchCompression.codec(Unloadable.class.getName())).isEqualTo("lz4");
        assertThat(BatchCompression.codec("io.tidemark.NoSuchClass")).isEqualTo("lz4");
    }

    /** Random bytes, in which four are repeated after so many: every 66 is the worst for Snappy. */
    @ParameterizedTest
    @CsvSource({"snappy, 66", "snappy, 4096", "lz4, 4096"})
    void theLargestMirroredValueFitsTheTopicHoweverItCompresses(String codec, int repetition) {
        byte[] bytes = new byte[LIMIT];
        new Random(1).nextBytes(bytes);
        for (int i = repetition; i + 4 <= LIMIT; i += repetition) {
            System.arraycopy(bytes, 0, bytes, i, 4);
        }
        int length = LIMIT;
        Change.Put put = put(bytes, length);
        while (put.value().length() == 0) {
            length -= 512;
            put = put(bytes, length);
        }
        assertThat(batchBytes(codec, put)).isLessThanOrEqualTo(LIMIT);
    }

    private Change.Put put(byte[] bytes, int length) {
        KeyValue stored =
                new KeyValue(Bytes.utf8("/k/a"), Bytes.wrap(bytes).slice(0, length), 7, 7, 1, 0);
        return (Change.Put) builder.listed(1, List.of(stored)).getFirst().change();
    }

    private static int batchBytes(String codec, Change.Put put) {
        TopicRecord record = ChangeCodec.encode(put);
        Header[] headers =
                record.headers().stream()
                        .map(each ->
                                new RecordHeader(
                                        each.name(),
                                        each.value().getBytes(StandardCharsets.US_ASCII)))
                        .toArray(Header[]::new);
        Compression compression = Compression.of(CompressionType.forName(codec)).build();
        return MemoryRecords.withRecords(
                        compression,
                        new SimpleRecord(1, record.key().array(), put.value().array(), headers))
                .sizeInBytes();
    }
}
