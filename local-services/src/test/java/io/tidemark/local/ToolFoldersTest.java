package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolFoldersTest {
    @TempDir Path directory;

    @Test
    void aCheckoutIsKnownFromItsModulesAndTheCacheIsFetchedInto() throws Exception {
        Files.createFile(directory.resolve("tidemark"));
        Files.createFile(directory.resolve("pom.xml"));
        Path module = Files.createDirectory(directory.resolve("module"));

        List<Path> folders =
                ToolFolders.of(Map.of("HOME", directory.resolve("home").toString()), module);

        assertThat(folders)
                .containsExactly(
                        directory.resolve(".tools"), directory.resolve("home/.cache/tidemark"));
    }

    @Test
    void theCacheFolderOfTheSystemsConventionIsRespected() {
        Path cache = directory.resolve("xdg");

        assertThat(ToolFolders.of(Map.of("XDG_CACHE_HOME", cache.toString()), directory))
                .endsWith(cache.resolve("tidemark"));
    }

    @Test
    void withoutAHomeTheWorkingFolderServes() {
        assertThat(ToolFolders.of(Map.of(), directory))
                .containsExactly(directory.resolve(".tools"));
    }
}
