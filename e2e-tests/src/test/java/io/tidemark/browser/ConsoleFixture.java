package io.tidemark.browser;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the console on one rollout, which starts before the first of them. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ConsoleFixture {
    final BrokenRollout rollout = new BrokenRollout();
    private final int configMaps;

    /**
     * @param configMaps further objects, which do not change
     */
    ConsoleFixture(int configMaps) {
        this.configMaps = configMaps;
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        rollout.startOrSkip(folder, configMaps);
    }

    @AfterAll
    void stop() throws Exception {
        rollout.close();
    }

    @AfterEach
    void nothingWasWrong() {
        rollout.requireNothingWrong();
    }
}
