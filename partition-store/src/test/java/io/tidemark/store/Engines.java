package io.tidemark.store;

import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import java.nio.file.Path;

/** An engine under test that can crash and come back. */
interface Engines extends AutoCloseable {
    KeyValueEngine first();

    /** The engine after a crash, or reopened if it was closed. */
    KeyValueEngine afterCrash(boolean closed);

    @Override
    void close();

    static Engines inMemory() {
        InMemoryEngine engine = new InMemoryEngine();
        return new Engines() {
            @Override
            public KeyValueEngine first() {
                return engine;
            }

            @Override
            public KeyValueEngine afterCrash(boolean closed) {
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
            private RocksEngine engine = RocksEngine.open(folder, memory);

            @Override
            public KeyValueEngine first() {
                return engine;
            }

            @Override
            public KeyValueEngine afterCrash(boolean closed) {
                if (!closed) {
                    engine.abandon();
                }
                engine = RocksEngine.open(folder, memory);
                return engine;
            }

            @Override
            public void close() {
                engine.abandon();
                memory.close();
            }
        };
    }
}
