package io.tidemark.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerateSchemasTest {
    private static final FileTime BEFORE = FileTime.fromMillis(1_000_000);

    @TempDir private Path folder;

    /** Maven would pack a jar again for a newer file with the same content. */
    @Test
    void writesOnlyFilesThatDiffer() throws Exception {
        GenerateSchemas.main(new String[] {folder.toString()});
        List<Path> files = files();
        assertThat(files).contains(folder.resolve("index"), folder.resolve("core.v1.schema"));
        Path changed = folder.resolve("apps.v1.schema");
        String content = Files.readString(changed);
        Files.writeString(changed, "changed");
        for (Path file : files) {
            Files.setLastModifiedTime(file, BEFORE);
        }

        GenerateSchemas.main(new String[] {folder.toString()});

        assertThat(changed).hasContent(content);
        for (Path file : files()) {
            if (!file.equals(changed)) {
                assertThat(Files.getLastModifiedTime(file)).as("%s", file).isEqualTo(BEFORE);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
