package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {
    @TempDir Path directory;

    @Test
    void excludesOthersAndReportsTheOwner() throws Exception {
        Path folder = directory.resolve("data");
        try (FolderLock _ = FolderLock.tryAcquire(folder).orElseThrow()) {
            Optional<FolderLock> second = FolderLock.tryAcquire(folder);

            assertThat(second).isEmpty();
            assertThat(FolderLock.owner(folder))
                    .isEqualTo(Long.toString(ProcessHandle.current().pid()));
        }
        Optional<FolderLock> after = FolderLock.tryAcquire(folder);
        assertThat(after).isPresent();
        after.orElseThrow().close();
    }

    @Test
    void newFolderHasNoOwner() {
        assertThat(FolderLock.owner(directory)).isEmpty();
    }
}
