package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder whose protobuf form is switched off and on again. */
class DroppedFormTest {
    private static final int OBJECTS = 20;

    @TempDir private Path folder;

    private static String key(int number) {
        return "/registry/pods/a/p" + number;
    }

    private RocksEngine open(RocksMemory memory, StoreSettings settings) {
        RocksEngine engine = RocksEngine.open(folder, memory, settings.protobuf().isPresent());
        Optional<String> _ = PartitionStore.prepare(engine, settings, "topic");
        return engine;
    }

    private static long forms(RocksEngine engine) {
        long forms = 0;
        for (int i = 0; i < OBJECTS; i++) {
            forms += engine.get(Family.PROTOBUF, Bytes.utf8(key(i))) == null ? 0 : 1;
        }
        return forms;
    }

    /** A family is dropped at once and for good, other writes are lost until a flush. */
    @Test
    void theFormIsWholeAfterACrashWithoutIt() {
        StoreSettings both = StoreSettings.DEFAULT.withProtobuf(new MarkedMessages("1"));
        try (RocksMemory memory = new RocksMemory(8 << 20, 8 << 20)) {
            RocksEngine first = open(memory, both);
            PartitionStore store =
                    PartitionStore.open(
                            0, first, both, InstantSource.system(), ReadExecutor.DIRECT, false);
            store.apply(Changes.begin(10), 0, 1);
            for (int i = 0; i < OBJECTS; i++) {
                store.apply(Changes.listed(key(i), 10), i + 1, 1);
            }
            store.apply(Changes.end(10), OBJECTS + 1, 1);
            store.flush();
            long whole = forms(first);
            assertThat(whole).isPositive();
            first.close();

            open(memory, StoreSettings.DEFAULT).abandon();

            RocksEngine again = open(memory, both);
            assertThat(forms(again)).isEqualTo(whole);
            again.close();
        }
    }
}
