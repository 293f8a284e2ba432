package io.tidemark.golden.recording;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The folder of the recordings. It is not a part of the repository: it is beside it ({@code
 * ../shared/golden}, or {@code golden} in the folder that the system property {@code
 * tidemark.shared} names). The property {@code tidemark.golden} names another one with files of the
 * same kinds; files that it lacks are skipped.
 */
public final class GoldenRecordings {
    public static final ObjectMapper JSON = new ObjectMapper();

    private static final String SNAPSHOT = "golden-snapshot.db.xz";

    private final Path folder;
    private final boolean standard;

    private GoldenRecordings(Path folder, boolean standard) {
        this.folder = folder;
        this.standard = standard;
    }

    /** Of no folder, before one is looked for. */
    public static GoldenRecordings none() {
        return new GoldenRecordings(Path.of(""), false);
    }

    /**
     * One file of rows.
     *
     * @param meta its first line, about the whole file
     */
    public record Rows(String file, JsonNode meta, List<JsonNode> rows) {
        /** The same file with some of the rows. */
        public Rows where(Predicate<JsonNode> condition) {
            return new Rows(file, meta, rows.stream().filter(condition).toList());
        }
    }

    /** Skips the test, by name and with this reason, where there are no recordings. */
    public static GoldenRecordings orSkip() {
        Optional<GoldenRecordings> found = find();
        assumeTrue(
                found.isPresent(),
                "needs an API server's recorded answers: ../shared/golden or -Dtidemark.shared");
        return found.orElseThrow();
    }

    private static Optional<GoldenRecordings> find() {
        String configured = System.getProperty("tidemark.golden");
        if (configured != null) {
            return Optional.of(new GoldenRecordings(Path.of(configured), false));
        }
        String shared = System.getProperty("tidemark.shared");
        Stream<Path> candidates =
                shared == null
                        ? Stream.iterate(
                                        Path.of("").toAbsolutePath(),
                                        folder -> folder != null,
                                        Path::getParent)
                                .map(folder -> folder.resolve("shared"))
                        : Stream.of(Path.of(shared));
        return candidates
                .map(each -> each.resolve("golden"))
                .filter(each -> Files.exists(each.resolve(SNAPSHOT)))
                .map(each -> new GoldenRecordings(each, true))
                .findFirst();
    }

    /** Whether these are the recordings that the list of deviations was written for. */
    public boolean areStandard() {
        return standard;
    }

    /** The etcd snapshot of the recording, unpacked into a folder. */
    public Path snapshot(Path into) throws IOException {
        Path file = Files.createDirectories(into).resolve("snapshot.db");
        try (InputStream in = new XZInputStream(Files.newInputStream(folder.resolve(SNAPSHOT)))) {
            Files.copy(in, file);
        }
        return file;
    }

    /** The rows of {@code NAME.jsonl.gz}; the test is skipped where it is missing. */
    public Rows rows(String name) throws IOException {
        Path file = folder.resolve(name + ".jsonl.gz");
        assumeTrue(Files.exists(file), "needs " + file.getFileName() + " among the recordings");
        ObjectReader reader = JSON.reader();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(Files.newInputStream(file)),
                                StandardCharsets.UTF_8))) {
            List<JsonNode> all = lines.lines().map(line -> parse(reader, line)).toList();
            return new Rows(name, all.getFirst().path("meta"), all.subList(1, all.size()));
        }
    }

    /** The names of the members of an object, in order. */
    public static List<String> names(ObjectNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    private static JsonNode parse(ObjectReader reader, String line) {
        try {
            return reader.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
