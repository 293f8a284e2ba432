package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the build makes for the launcher, the image and those who check their dependencies. */
class DistributionIT {
    private static final Path DIST = Path.of("target", "dist");

    @Test
    void listsEveryLibraryOfTheDistribution() throws IOException {
        JsonNode sbom = new ObjectMapper().readTree(DIST.resolve("sbom.json").toFile());
        assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
        List<String> listed = new ArrayList<>();
        listed.add(fileOf(sbom.path("metadata").path("component")));
        for (JsonNode component : sbom.path("components")) {
            listed.add(fileOf(component));
            if (!component.path("group").asText().equals("io.tidemark")) {
                assertThat(component.path("hashes")).as(fileOf(component)).isNotEmpty();
                assertThat(component.path("licenses")).as(fileOf(component)).isNotEmpty();
            }
        }
        try (Stream<Path> files = Files.list(DIST.resolve("lib"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(listed);
        }
    }

    /**
     * The file's name, from a package URL such as {@code pkg:maven/g/a@1?classifier=c&type=jar}.
     */
    static String fileOf(JsonNode component) {
        return "%s-%s%s.jar"
                .formatted(
                        component.path("name").asText(),
                        component.path("version").asText(),
                        classifierOf(component));
    }

    /** With a dash before it; empty without one. */
    static String classifierOf(JsonNode component) {
        String url = component.path("purl").asText();
        return Stream.of(url.substring(url.indexOf('?') + 1).split("&"))
                .filter(part -> part.startsWith("classifier="))
                .map(part -> "-" + part.substring("classifier=".length()))
                .findFirst()
                .orElse("");
    }
}
