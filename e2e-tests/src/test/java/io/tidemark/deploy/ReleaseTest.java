package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One version, wherever it is written. */
class ReleaseTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>tidemark</artifactId>\\s+<version>([^<]+)</version>");

    @Test
    void allPartsHaveTheVersionOfTheBuild() throws IOException {
        Matcher build = VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(build.find()).isTrue();
        String version = build.group(1);

        JsonNode chart = Chart.YAML.readTree(Chart.FOLDER.resolve("Chart.yaml").toFile());
        assertThat(chart.path("version").asText()).isEqualTo(version);
        assertThat(chart.path("appVersion").asText()).isEqualTo(version);
        assertThat(Files.readString(ROOT.resolve("deploy").resolve("image").resolve("Dockerfile")))
                .contains("image.version=\"" + version + "\"");
        assertThat(Files.readString(ROOT.resolve("CHANGELOG.md")))
                .contains("\n## " + version + "\n");
    }
}
