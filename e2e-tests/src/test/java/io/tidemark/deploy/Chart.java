package io.tidemark.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The Helm chart, rendered by Helm's own library. */
final class Chart {
    /** From the folder of this module. */
    static final Path FOLDER = Path.of("..", "deploy", "helm", "tidemark");

    static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** The least that an installation must say. */
    static final Map<String, String> REQUIRED =
            Map.of(
                    "etcd.endpoints[0]", "https://10.0.0.1:2379",
                    "etcd.tlsSecret", "etcd-client",
                    "kafka.bootstrapServers", "kafka:9093",
                    "peers.tlsSecret", "peer-tls",
                    "peers.secret", "peer-secret",
                    "access.tlsSecret", "node-tls",
                    "access.clientCaConfigMap", "client-ca");

    private Chart() {}

    /** Skips the test on a machine for which Helm's library is not among the dependencies. */
    static void requireHelm() {
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "Helm's library is here for Linux on amd64 only");
    }

    /**
     * Renders the chart.
     *
     * @param values besides the required ones; an empty text unsets one
     * @throws IllegalStateException when Helm refuses the values
     */
    static List<JsonNode> render(Map<String, String> values) throws IOException {
        return documents(text("tm", "cache", values));
    }

    /** The same as Helm writes it, of a release with this name. */
    static String text(String name, String namespace, Map<String, String> values)
            throws IOException {
        requireHelm();
        return new Helm(FOLDER)
                .template()
                .withName(name)
                .withNamespace(namespace)
                .withValuesFile(valuesFile(values))
                .call();
    }

    /** The manifests of a YAML text. */
    static List<JsonNode> documents(String text) throws IOException {
        List<JsonNode> manifests = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                if (document.isObject()) {
                    manifests.add(document);
                }
            }
        }
        return manifests;
    }

    /** Lints a copy of the chart with these values as its own: Helm's lint takes no others. */
    static LintResult lint(Path copy, Map<String, String> values) throws IOException {
        requireHelm();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = copy.resolve(FOLDER.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
        Path own = copy.resolve("values.yaml");
        JsonNode merged =
                YAML.readerForUpdating(YAML.readTree(own.toFile()))
                        .readValue(valuesFile(values).toFile());
        YAML.writeValue(own.toFile(), merged);
        return new Helm(copy).lint().strict().call();
    }

    /** Values have the types that YAML gives them. */
    private static Path valuesFile(Map<String, String> values) throws IOException {
        Map<String, String> all = new TreeMap<>(REQUIRED);
        all.putAll(values);
        ObjectNode root = YAML.createObjectNode();
        for (Map.Entry<String, String> each : all.entrySet()) {
            if (!each.getValue().isEmpty()) {
                put(root, each.getKey(), YAML.readTree(each.getValue()));
            }
        }
        Path file = Files.createTempFile("values", ".yaml");
        file.toFile().deleteOnExit();
        YAML.writeValue(file.toFile(), root);
        return file;
    }

    private static void put(ObjectNode root, String path, JsonNode value) {
        String[] names = path.split("\\.");
        ObjectNode at = root;
        for (int i = 0; i < names.length - 1; i++) {
            at = at.withObjectProperty(names[i]);
        }
        String last = names[names.length - 1];
        if (last.endsWith("]")) {
            at.withArrayProperty(last.substring(0, last.indexOf('['))).add(value);
        } else {
            at.set(last, value);
        }
    }
}
