package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.kubernetes.RecordedCluster.Entry;
import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.kubernetes.testing.PublishedMessages;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All objects of a real cluster, from protobuf to JSON and back. */
class RecordedProtobufTest {
    /** What the API server adds when it reads, and so is in our JSON and not in what it stored. */
    private static final String ADDED =
            "\\.status\\.phase|\\.metadata\\.labels.*|\\.spec\\.persistentVolumeClaimRetentionPolicy.*";

    private final KubernetesDecoder decoder = new KubernetesDecoder();
    private List<Entry> entries = List.of();

    @BeforeEach
    void findRecording() {
        Optional<RecordedCluster> recording = RecordedCluster.find();
        assumeTrue(recording.isPresent(), RecordedCluster.NEEDED);
        entries = recording.get().entries().stream().filter(Entry::protobuf).toList();
        assertThat(entries).hasSizeGreaterThan(1_900);
    }

    @Test
    void objectsComeBackTheSame() {
        for (Entry entry : entries) {
            String json = json(entry.value(), entry.modRevision());
            assertThat(json(encoded(entry), entry.modRevision())).as(entry.key()).isEqualTo(json);
        }
    }

    @Test
    void readersOfThePublishedMessagesSeeWhatTheApiServerWrote() throws Exception {
        PublishedMessages published = new PublishedMessages();
        Map<String, Integer> differences = new TreeMap<>();
        int compared = 0;
        for (Entry entry : entries) {
            String name = tableName(entry);
            if (published.knows(name)) {
                compared++;
                differ(
                        entry.kind(),
                        content(published, name, entry.value()),
                        content(published, name, encoded(entry)),
                        differences);
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(1_900);
    }

    private static Map<String, Object> content(
            PublishedMessages published, String name, byte[] enveloped) throws Exception {
        Envelope envelope = Envelope.parse(enveloped, 4);
        byte[] message = Arrays.copyOfRange(enveloped, envelope.from(), envelope.to());
        Map<String, Object> content = published.content(name, message);
        // It is not stored.
        if (content.get("metadata") instanceof Map<?, ?> metadata) {
            metadata.remove("resourceVersion");
        }
        return content;
    }

    private static void differ(
            String path, Object theirs, Object ours, Map<String, Integer> differences) {
        if (Objects.equals(theirs, ours)) {
            return;
        }
        // A message that is absent says as much as an empty one.
        if (ours instanceof Map<?, ?> those
                && (theirs == null ? Map.of() : theirs) instanceof Map<?, ?> these) {
            Map<Object, Object> all = new TreeMap<>(these);
            all.putAll(those);
            all.keySet()
                    .forEach(name ->
                            differ(
                                    path + "." + name,
                                    these.get(name),
                                    those.get(name),
                                    differences));
        } else if (!(theirs == null && path.substring(path.indexOf('.')).matches(ADDED))) {
            differences.merge(path + ": " + theirs + " became " + ours, 1, Integer::sum);
        }
    }

    private static String tableName(Entry entry) {
        return Objects.requireNonNull(SchemaTables.shared().kind(entry.apiVersion(), entry.kind()))
                .name();
    }

    private byte[] encoded(Entry entry) {
        byte[] json = json(entry.value(), entry.modRevision()).getBytes(StandardCharsets.UTF_8);
        return KubernetesEncoder.of(entry.apiVersion(), entry.kind())
                .orElseThrow()
                .object(entry.apiVersion(), entry.kind(), json, 0, 0);
    }

    private String json(byte[] stored, long revision) {
        return switch (decoder.decode(stored, revision)) {
            case DecodeResult.Json json -> json.json().utf8();
            case DecodeResult.Refused refused -> throw new AssertionError(refused);
        };
    }
}
