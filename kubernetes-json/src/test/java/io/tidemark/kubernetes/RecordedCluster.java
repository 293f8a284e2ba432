package io.tidemark.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The recording of a real cluster: values in etcd, and the objects that the API server served for
 * them. Read from {@code ../shared/data} beside the repository, or from {@code tidemark.shared}.
 */
final class RecordedCluster {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Requests and responses of the same cluster. */
    private static final String ANSWERS = "../golden/static.jsonl.gz";

    /** Why tests are skipped without it. */
    static final String NEEDED =
            "needs the recording of a real cluster: ../shared/data or -Dtidemark.shared";

    /** One for all tests, which only read it: parsing takes longer than most of them. */
    private static final Optional<RecordedCluster> FOUND = locate();

    private final Path folder;
    private @Nullable List<Entry> entries;

    private RecordedCluster(Path folder) {
        this.folder = folder;
    }

    /** One key at the end of the recording; {@code served} is null if it is not an object. */
    record Entry(
            String key,
            long modRevision,
            String apiVersion,
            String kind,
            boolean protobuf,
            byte[] value,
            @Nullable JsonNode served) {

        @Override
        public String toString() {
            return key;
        }
    }

    static Optional<RecordedCluster> find() {
        return FOUND;
    }

    private static Optional<RecordedCluster> locate() {
        String configured = System.getProperty("tidemark.shared");
        if (configured != null) {
            return at(Path.of(configured));
        }
        for (Path folder = Path.of("").toAbsolutePath();
                folder != null;
                folder = folder.getParent()) {
            Optional<RecordedCluster> found = at(folder.resolve("shared"));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<RecordedCluster> at(Path shared) {
        Path data = shared.resolve("data");
        return Files.exists(data.resolve("cluster-objects.jsonl.gz"))
                ? Optional.of(new RecordedCluster(data))
                : Optional.empty();
    }

    synchronized List<Entry> entries() {
        if (entries == null) {
            entries = readEntries();
        }
        return entries;
    }

    private List<Entry> readEntries() {
        Map<String, JsonNode> served = new HashMap<>();
        for (JsonNode line : lines("cluster-objects.jsonl.gz")) {
            served.put(line.get("key").asText(), line.get("object"));
        }
        return lines("cluster-etcd-dump.jsonl.gz").stream()
                .map(line -> entry(line, served.get(line.get("key").asText())))
                .toList();
    }

    private static Entry entry(JsonNode line, @Nullable JsonNode served) {
        return new Entry(
                line.get("key").asText(),
                line.get("modRevision").asLong(),
                line.path("apiVersion").asText(),
                line.path("kind").asText(),
                line.get("encoding").asText().equals("protobuf"),
                Base64.getDecoder().decode(line.get("valueBase64").asText()),
                served);
    }

    /** All recorded values, in revision order. */
    List<byte[]> history() {
        return lines("cluster-etcd-events.jsonl.gz").stream()
                .filter(line -> line.get("type").asText().equals("PUT"))
                .map(line -> Base64.getDecoder().decode(line.get("valueBase64").asText()))
                .toList();
    }

    /** The body of the recorded response with this id; empty without recorded responses. */
    Optional<JsonNode> answer(String id) {
        if (!Files.exists(folder.resolve(ANSWERS))) {
            return Optional.empty();
        }
        return lines(ANSWERS, line -> line.contains('"' + id + '"')).stream()
                .filter(line -> line.path("id").asText().equals(id))
                .map(line -> line.path("response").path("body"))
                .findFirst();
    }

    private List<JsonNode> lines(String file) {
        return lines(file, _ -> true);
    }

    private List<JsonNode> lines(String file, Predicate<String> wanted) {
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(Files.newInputStream(folder.resolve(file))),
                                StandardCharsets.UTF_8))) {
            return reader.lines().filter(wanted).map(RecordedCluster::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
