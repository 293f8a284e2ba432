package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One version, wherever it is written, and an archive with all files that its README uses. */
class ReleaseTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>tidemark</artifactId>\\s+<version>([^<]+)</version>");

    private static final Pattern INCLUDE = Pattern.compile("<include>([^<]+)</include>");
    private static final Pattern MOUNT = Pattern.compile("- \\./([^:]+):");

    /** The README's commands run in the archive too. */
    @Test
    void theArchiveHasTheFilesThatContainersMount() throws IOException {
        String assembly =
                Files.readString(
                        ROOT.resolve("standalone")
                                .resolve("src")
                                .resolve("assembly")
                                .resolve("release.xml"));
        List<PathMatcher> included =
                INCLUDE.matcher(assembly)
                        .results()
                        .map(each ->
                                FileSystems.getDefault().getPathMatcher("glob:" + each.group(1)))
                        .toList();
        Path compose = Path.of("docker-compose.yml");
        List<Path> needed =
                Stream.concat(
                                Stream.of(compose),
                                MOUNT.matcher(Files.readString(ROOT.resolve(compose)))
                                        .results()
                                        .map(each -> Path.of(each.group(1))))
                        .toList();
        assertThat(needed).contains(Path.of("docker", "haproxy.cfg"));
        for (Path file : needed) {
            assertThat(ROOT.resolve(file)).exists();
            assertThat(included).as(file.toString()).anyMatch(each -> each.matches(file));
        }
    }

    /** The distribution's etcd may be too old to record a start; the image then lacks the cache. */
    @Test
    void theImageIsBuiltWithoutTheCacheThatCannotBeMade() throws IOException {
        String image =
                Files.readString(ROOT.resolve("deploy").resolve("image").resolve("Dockerfile"));
        assertThat(image)
                .contains("if tidemark build --fast-start; then")
                .contains("COPY --from=trained /trained/ /opt/tidemark/")
                .doesNotContain("COPY --from=trained /opt/tidemark/start.aot");
    }

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
