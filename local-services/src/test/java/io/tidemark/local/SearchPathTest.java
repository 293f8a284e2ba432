package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

class SearchPathTest {
    /** Tests run in their module's folder. */
    private static final Path WORKING_FOLDER = Path.of("").toAbsolutePath();

    @TempDir(factory = BelowTarget.class)
    Path directory;

    @Test
    void findsTheFirstExecutableFile() throws Exception {
        Files.createDirectories(directory.resolve("a/tool"));
        Path tool = program(directory.resolve("b/tool"));

        assertThat(SearchPath.find(directory.resolve("a") + ":" + tool.getParent(), "tool"))
                .contains(tool);
    }

    @Test
    void skipsTheWorkingFolder() throws Exception {
        Path tool = program(directory.resolve("bin/tool"));
        Path relative = WORKING_FOLDER.relativize(tool.getParent());
        assertThat(relative.resolve("tool")).isExecutable();

        assertThat(SearchPath.find(relative + "::.:" + relative, "tool")).isEmpty();
    }

    private static Path program(Path file) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A folder with a path relative to the working folder. */
    static final class BelowTarget implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
                throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(WORKING_FOLDER.resolve("target")), "path");
        }
    }
}
