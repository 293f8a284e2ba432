package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The image and the compose file give Tidemark no more of the machine than it needs. */
class ContainerFilesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\$\\{([A-Z_]+)[:}]");

    @Test
    void theImageRunsAsAUserWithoutRights() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("Dockerfile"));
        int user = lines.lastIndexOf("USER tidemark");
        assertThat(user).isPositive().isLessThan(lines.indexOf("ENTRYPOINT [\"tidemark\"]"));
        assertThat(lines).filteredOn(line -> line.startsWith("USER ")).hasSize(1);
        assertThat(lines).anyMatch(line -> line.contains("useradd --system --uid 10001 "));
    }

    @Test
    void secretsAndDataOfTheDocumentedStepsStayOutOfImagesAndCommits() throws IOException {
        List<String> image = Files.readAllLines(ROOT.resolve(".dockerignore"));
        List<String> commits = Files.readAllLines(ROOT.resolve(".gitignore"));
        for (String name : List.of("peer-secret", "tokens.csv", "shop-login", "*.key")) {
            assertThat(image).contains(name);
            assertThat(commits).contains("/" + name);
        }
        for (String folder : List.of("certs", "broker", "node", "n1", "n2", "etcd")) {
            assertThat(image).contains(folder);
            assertThat(commits).contains("/" + folder + "/");
            assertThat(ROOT.resolve(folder).resolve("pom.xml")).doesNotExist();
        }
    }

    @Test
    void theProcessesHaveNoCapabilitiesAndAReadOnlyRoot() throws IOException {
        Map<String, List<String>> blocks = blocks();
        assertThat(blocks.get("x-tidemark"))
                .contains(
                        "read_only: true",
                        "cap_drop: [ALL]",
                        "security_opt: [\"no-new-privileges:true\"]");
        for (String service : List.of("connector", "node")) {
            assertThat(blocks.get(service))
                    .as(service)
                    .contains("<<: *tidemark")
                    .noneMatch(line ->
                            line.matches(
                                    "(user|privileged|cap_add|cap_drop|read_only|security_opt|pid|network_mode):.*"));
        }
    }

    @Test
    void portsAreForThisMachineOnly() throws IOException {
        List<String> published =
                Files.readAllLines(ROOT.resolve("docker-compose.yml")).stream()
                        .map(String::strip)
                        .filter(line -> line.matches("- \"[^\"]*:[0-9]+\""))
                        .toList();
        assertThat(published).hasSize(5).allMatch(line -> line.startsWith("- \"127.0.0.1:"));
    }

    @Test
    void theMemoryOfEachProcessCanBeSet() throws IOException {
        Map<String, List<String>> blocks = blocks();
        for (String service : List.of("connector", "node")) {
            assertThat(blocks.get(service))
                    .as(service)
                    .contains("TIDEMARK_MEMORY: ${TIDEMARK_MEMORY:-1g}");
        }
    }

    /** All clients share the proxy's address. */
    @Test
    void nodesBehindTheProxyHaveEachLimitPerClientRaised() throws IOException {
        String page = Files.readString(ROOT.resolve("docs").resolve("limits.md"));
        String proxy = page.substring(page.indexOf("## Behind a proxy"));
        List<String> options =
                Pattern.compile("`--([a-z-]+-per-client)`")
                        .matcher(proxy)
                        .results()
                        .map(each -> each.group(1))
                        .toList();
        assertThat(options).hasSize(3);
        for (String option : options) {
            String variable = "TIDEMARK_" + option.toUpperCase(Locale.ROOT).replace('-', '_');
            assertThat(blocks().get("node")).anyMatch(line -> line.startsWith(variable + ": "));
        }
    }

    @Test
    void eachVariableOfTheComposeFileIsDocumented() throws IOException {
        String page = Files.readString(ROOT.resolve("docs").resolve("operate.md"));
        List<String> variables =
                VARIABLE.matcher(Files.readString(ROOT.resolve("docker-compose.yml")))
                        .results()
                        .map(each -> each.group(1))
                        .distinct()
                        .toList();
        assertThat(variables).contains("PORT", "GRAFANA_PORT", "TIDEMARK_MEMORY");
        assertThat(variables).allMatch(each -> page.contains("`" + each + "`"));
    }

    /** The lines of each service and of the common part, by its name, without indentation. */
    private static Map<String, List<String>> blocks() throws IOException {
        Map<String, List<String>> blocks = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve("docker-compose.yml"))) {
            if (line.matches(" {0,2}[a-z-]+:.*")) {
                // A member of the common part is one of its lines.
                if (line.startsWith("  ") && !line.matches("  [a-z-]+:")) {
                    current.add(line.strip());
                    continue;
                }
                current = new ArrayList<>();
                blocks.put(line.strip().replaceFirst(":.*", ""), current);
            } else {
                current.add(line.strip());
            }
        }
        return blocks;
    }
}
