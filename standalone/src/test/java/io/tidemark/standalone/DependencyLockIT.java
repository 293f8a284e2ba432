package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * The libraries of the distribution are those that were reviewed: {@code dependencies.lock} has
 * their names, versions, hashes and licenses. Needs no network.
 */
class DependencyLockIT {
    private static final Path DIST = Path.of("target", "dist");
    private static final Path REVIEWED = Path.of("dependencies.lock");
    private static final Path FOUND = Path.of("target", "dependencies.lock");

    /** Of several licenses of one library, one must be here. */
    private static final Set<String> ALLOWED =
            Set.of(
                    "Apache-2.0",
                    "BSD-2-Clause",
                    "BSD-3-Clause",
                    "CC0-1.0",
                    "EPL-2.0",
                    "MIT",
                    // As MIT.
                    "Bouncy Castle Licence",
                    // As BSD-3-Clause.
                    "Go License");

    /**
     * A library.
     *
     * @param id GROUP:NAME, and a classifier if it has one
     * @param hash SHA-256 of its jar
     */
    private record Library(String id, String version, String hash, Set<String> licenses) {
        String line() {
            return "%s:%s sha256:%s %s".formatted(id, version, hash, String.join(", ", licenses));
        }
    }

    @Test
    void theLibrariesAreThoseThatWereReviewed() throws Exception {
        List<String> found = libraries().stream().map(Library::line).toList();
        Files.write(FOUND, found);
        List<String> reviewed = Files.readAllLines(REVIEWED);
        if (!found.equals(reviewed)) {
            fail(
                    """
                    the libraries of the distribution differ from standalone/dependencies.lock
                    new:
                    %s
                    gone:
                    %s
                    Review them: who publishes them, what changed, which license. Then run
                      cp standalone/target/dependencies.lock standalone/dependencies.lock
                    and commit it with the change.\
                    """
                            .formatted(without(found, reviewed), without(reviewed, found)));
        }
    }

    @Test
    void everyLibraryHasAnAllowedLicense() throws Exception {
        for (Library library : libraries()) {
            assertThat(library.licenses())
                    .as("licenses of " + library.id())
                    .anyMatch(ALLOWED::contains);
        }
    }

    @Test
    void everyLibraryIsAReleaseInOneVersion() throws Exception {
        Map<String, String> versions = new TreeMap<>();
        for (Library library : libraries()) {
            assertThat(library.version()).as(library.id()).doesNotContain("SNAPSHOT");
            assertThat(versions.put(library.id(), library.version())).as(library.id()).isNull();
        }
        assertThat(versions).isNotEmpty();
    }

    private static String without(List<String> all, List<String> others) {
        return all.stream()
                .filter(line -> !others.contains(line))
                .map(line -> "  " + line)
                .collect(Collectors.joining("\n"));
    }

    /** All but Tidemark's own, by their names. */
    private static List<Library> libraries() throws Exception {
        JsonNode sbom = new ObjectMapper().readTree(DIST.resolve("sbom.json").toFile());
        List<Library> libraries = new ArrayList<>();
        for (JsonNode component : sbom.path("components")) {
            String group = component.path("group").asText();
            if (group.equals("io.tidemark")) {
                continue;
            }
            String classifier = DistributionIT.classifierOf(component);
            libraries.add(
                    new Library(
                            group + ":" + component.path("name").asText() + classifier,
                            component.path("version").asText(),
                            hash(component),
                            licenses(component)));
        }
        libraries.sort(Comparator.comparing(Library::line));
        return libraries;
    }

    /** Of the jar itself; the list of libraries must state the same. */
    private static String hash(JsonNode component) throws Exception {
        Path jar = DIST.resolve("lib").resolve(DistributionIT.fileOf(component));
        String hash =
                HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance("SHA-256")
                                        .digest(Files.readAllBytes(jar)));
        assertThat(component.path("hashes"))
                .as(jar.toString())
                .anyMatch(each ->
                        each.path("alg").asText().equals("SHA-256")
                                && each.path("content").asText().equals(hash));
        return hash;
    }

    private static Set<String> licenses(JsonNode component) {
        return StreamSupport.stream(component.path("licenses").spliterator(), false)
                .map(each ->
                        each.has("expression")
                                ? each.path("expression").asText()
                                : each.path("license")
                                        .path(each.path("license").has("id") ? "id" : "name")
                                        .asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
