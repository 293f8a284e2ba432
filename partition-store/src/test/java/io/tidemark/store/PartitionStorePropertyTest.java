package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories against the reference model; a failure names its seed. */
class PartitionStorePropertyTest {
    private static final int STEPS = 300;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void readsEqualTheModel(long seed) {
        run(seed, Engines.inMemory());
    }

    @RepeatedTest(20)
    void readsEqualTheModelForARandomSeed() {
        run(System.nanoTime(), Engines.inMemory());
    }

    @RepeatedTest(6)
    void readsEqualTheModelOnRocksDb(@TempDir Path folder) {
        run(System.nanoTime(), Engines.rocks(folder.resolve("store")));
    }

    private static void run(long seed, Engines opened) {
        try (Engines engines = opened) {
            RandomHistory history = new RandomHistory(seed, engines);
            assertThat(history.run(STEPS)).as("seed %d", seed).isEmpty();
        }
    }
}
