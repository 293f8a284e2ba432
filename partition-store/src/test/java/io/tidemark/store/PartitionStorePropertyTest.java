package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories against the reference model; a failure names its seed. Builds run the same ones,
 * {@code -Dtidemark.histories=200} so many known and so many new ones per test.
 */
@Execution(ExecutionMode.CONCURRENT)
class PartitionStorePropertyTest {
    private static final int MORE = Integer.getInteger("tidemark.histories", 0);

    /** Each step is compared with all before it. */
    private static final int STEPS = MORE > 0 ? 300 : 200;

    private static final int HISTORIES = MORE > 0 ? MORE : 2;
    private static final long OTHERS = 1_000;

    /** On disk a step takes three times as long. */
    private static final int STEPS_ON_DISK = MORE > 0 ? STEPS : 100;

    static LongStream knownSeeds() {
        return LongStream.rangeClosed(1, HISTORIES);
    }

    static LongStream freshSeeds() {
        return MORE > 0
                ? new SplittableRandom().longs(MORE)
                : LongStream.rangeClosed(OTHERS + 1, OTHERS + HISTORIES);
    }

    /** A third, since they take longer. */
    static LongStream freshSeedsOnDisk() {
        return freshSeeds().limit(Math.max(1, HISTORIES / 3));
    }

    @ParameterizedTest
    @MethodSource("knownSeeds")
    void readsEqualTheModel(long seed) {
        run(seed, STEPS, Engines.inMemory());
    }

    @ParameterizedTest
    @MethodSource("freshSeeds")
    void readsEqualTheModelForARandomSeed(long seed) {
        run(seed, STEPS, Engines.inMemory());
    }

    @ParameterizedTest
    @MethodSource("freshSeedsOnDisk")
    void readsEqualTheModelOnRocksDb(long seed, @TempDir Path folder) {
        run(seed, STEPS_ON_DISK, Engines.rocks(folder.resolve("store")));
    }

    private static void run(long seed, int steps, Engines opened) {
        try (Engines engines = opened) {
            RandomHistory history = new RandomHistory(seed, engines);
            assertThat(history.run(steps)).as("seed %d", seed).isEmpty();
            assertThat(history.recentPages()).as("seed %d", seed).isPositive();
            assertThat(history.messages()).as("seed %d", seed).isPositive();
        }
    }
}
