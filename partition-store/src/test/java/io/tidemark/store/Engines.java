package io.tidemark.store;

import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import java.nio.file.Path;
import java.util.Optional;

/** An engine under test that can crash and come back. */
interface Engines extends AutoCloseable {
    KeyValueEngine first(boolean protobuf);

    /** The engine after a crash, or reopened if it was closed. */
    KeyValueEngine afterCrash(boolean closed, boolean protobuf);

    @Override
    void close();

    static Engines inMemory() {
        InMemoryEngine engine = new InMemoryEngine();
        return new Engines() {
            @Override
            public KeyValueEngine first(boolean protobuf) {
                return engine;
            }

            @Override
            public KeyValueEngine afterCrash(boolean closed, boolean protobuf) {
                engine.crash();
                return engine;
            }

            @Override
            public void close() {}
        };
    }

    static Engines rocks(Path folder) {
        RocksMemory memory = new RocksMemory(8 << 20, 8 << 20);
        return new Engines() {
            private Optional<RocksEngine> engine = Optional.empty();

            @Override
            public KeyValueEngine first(boolean protobuf) {
                RocksEngine opened = RocksEngine.open(folder, memory, protobuf);
                engine = Optional.of(opened);
                return opened;
            }

            @Override
            public KeyValueEngine afterCrash(boolean closed, boolean protobuf) {
                if (!closed) {
                    engine.orElseThrow().abandon();
                }
                return first(protobuf);
            }

            @Override
            public void close() {
                engine.ifPresent(RocksEngine::abandon);
                memory.close();
            }
        };
    }
}
