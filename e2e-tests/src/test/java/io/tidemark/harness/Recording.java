package io.tidemark.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.record.Bytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * What a real API server wrote into a real etcd, and what it answered. It is not a part of the
 * repository: it is beside it ({@code ../shared/data}), or in the folder that the system property
 * {@code tidemark.shared} names.
 */
public final class Recording {
    private static final String OBJECTS = "cluster-objects.jsonl.gz";

    private final Path data;

    private Recording(Path data) {
        this.data = data;
    }

    /**
     * An object as the API server served it.
     *
     * @param object at exactly {@code modRevision}
     */
    public record Served(String key, String url, long modRevision, JsonNode object) {
        /** The collection that lists it: its namespace's, if it has one. */
        public String collection() {
            return url.substring(0, url.lastIndexOf('/'));
        }
    }

    /**
     * A change of one key.
     *
     * @param value empty for a deletion
     */
    public record Event(String key, Optional<Bytes> value) {}

    /** Skips the test, by name and with this reason, where there is no recording. */
    public static Recording orSkip() {
        Optional<Recording> recording = find();
        assumeTrue(
                recording.isPresent(),
                "needs the recording of a real cluster: ../shared/data or -Dtidemark.shared");
        return recording.orElseThrow();
    }

    private static Optional<Recording> find() {
        String configured = System.getProperty("tidemark.shared");
        Stream<Path> candidates =
                configured == null
                        ? Stream.iterate(
                                        Path.of("").toAbsolutePath(),
                                        folder -> folder != null,
                                        Path::getParent)
                                .map(folder -> folder.resolve("shared"))
                        : Stream.of(Path.of(configured));
        return candidates
                .map(shared -> shared.resolve("data"))
                .filter(data -> Files.exists(data.resolve(OBJECTS)))
                .map(Recording::new)
                .findFirst();
    }

    /** The etcd snapshot, unpacked into a folder. */
    public Path snapshot(Path into) throws IOException {
        Path file = Files.createDirectories(into).resolve("snapshot.db");
        try (InputStream in = unpacked("cluster-etcd-snapshot.db.gz")) {
            Files.copy(in, file);
        }
        return file;
    }

    /** Every object in the snapshot. */
    public List<Served> objects() throws IOException {
        return lines(OBJECTS).stream()
                .filter(line -> line.has("object"))
                .map(line ->
                        new Served(
                                line.path("key").asText(),
                                line.path("url").asText(),
                                line.path("modRevision").asLong(),
                                line.path("object")))
                .toList();
    }

    /** The whole history, from the first revision to the snapshot's. */
    public List<Event> history() throws IOException {
        return lines("cluster-etcd-events.jsonl.gz").stream().map(Recording::event).toList();
    }

    private static Event event(JsonNode line) {
        Optional<Bytes> value =
                line.path("type").asText().equals("PUT")
                        ? Optional.of(
                                Bytes.wrap(
                                        Base64.getDecoder()
                                                .decode(line.path("valueBase64").asText())))
                        : Optional.empty();
        return new Event(line.path("key").asText(), value);
    }

    private List<JsonNode> lines(String file) throws IOException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(unpacked(file), StandardCharsets.UTF_8))) {
            return reader.lines().map(line -> new Api.Answer(200, line).json()).toList();
        }
    }

    private InputStream unpacked(String file) throws IOException {
        return new GZIPInputStream(Files.newInputStream(data.resolve(file)));
    }
}
