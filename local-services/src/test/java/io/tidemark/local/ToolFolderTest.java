package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ToolFolderTest {
    @Test
    void usesTheUsersCache() {
        assertThat(ToolFolder.of(Map.of("HOME", "/home/u"), "/other"))
                .contains(Path.of("/home/u/.cache/tidemark"));
    }

    @Test
    void respectsXdgCacheHome() {
        assertThat(ToolFolder.of(Map.of("XDG_CACHE_HOME", "/xdg", "HOME", "/home/u"), "/other"))
                .contains(Path.of("/xdg/tidemark"));
    }

    @Test
    void ignoresARelativeFolder() {
        assertThat(ToolFolder.of(Map.of("XDG_CACHE_HOME", "xdg", "HOME", "."), "/home/u"))
                .contains(Path.of("/home/u/.cache/tidemark"));
    }

    @Test
    void isEmptyWithoutAHome() {
        assertThat(ToolFolder.of(Map.of(), "")).isEmpty();
        assertThat(ToolFolder.of(Map.of(), "?")).isEmpty();
    }
}
