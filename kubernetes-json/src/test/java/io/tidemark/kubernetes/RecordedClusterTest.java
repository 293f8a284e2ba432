package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.json.JsonScanner;
import io.tidemark.kubernetes.RecordedCluster.Entry;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Json;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** All stored values of a real cluster, against the objects that its API server served. */
class RecordedClusterTest {
    private final KubernetesDecoder decoder = new KubernetesDecoder();

    @Test
    void servesStoredObjectsAsRecorded() {
        Optional<RecordedCluster> recording = RecordedCluster.find();
        assumeTrue(recording.isPresent(), RecordedCluster.NEEDED);
        List<Entry> entries =
                recording.get().entries().stream()
                        .filter(entry -> entry.protobuf() && entry.served() != null)
                        .toList();
        Map<String, Integer> differences = new TreeMap<>();
        int equal = 0;
        int sameOrder = 0;
        for (Entry entry : entries) {
            DecodeResult decoded = decoder.decode(entry.value(), entry.modRevision());
            switch (decoded) {
                case DecodeResult.Refused refused ->
                        differences.merge(entry.kind() + ": " + refused, 1, Integer::sum);
                case Json json -> {
                    assertThat(json.canonical()).as("strict JSON, by itself").isTrue();
                    assertStrict(json.json().array());
                    JsonNode mine = RecordedCluster.parse(json.json().utf8());
                    if (mine.equals(entry.served())) {
                        equal++;
                    } else {
                        compare(entry.kind(), mine, entry.served(), differences);
                    }
                    if (mine.toString().equals(entry.served().toString())) {
                        sameOrder++;
                    }
                }
            }
        }
        System.out.printf(
                "%d protobuf objects: %d equal, %d of them in the same member order; differences:"
                        + " %s%n",
                entries.size(), equal, sameOrder, differences);
        assertThat(differences).isEmpty();
        assertThat(equal).isEqualTo(entries.size());
    }

    private static void assertStrict(byte[] json) {
        JsonScanner tokens = new JsonScanner(json, 0, json.length, 500, true);
        tokens.finish();
        assertThat(tokens.isCompact()).isTrue();
    }

    @Test
    void decodesEveryValueOfTheHistory() {
        Optional<RecordedCluster> recording = RecordedCluster.find();
        assumeTrue(recording.isPresent(), RecordedCluster.NEEDED);
        List<byte[]> values =
                recording.get().history().stream().filter(KubernetesDecoder::isProtobuf).toList();
        List<DecodeResult> unread =
                values.stream()
                        .map(decoder::decode)
                        .filter(answer ->
                                !(answer instanceof Json json) || json.unknownFields() > 0)
                        .toList();
        System.out.printf(
                "%d protobuf values of the history, %d unread%n", values.size(), unread.size());
        assertThat(unread).isEmpty();
    }

    private static void compare(
            String path, JsonNode mine, JsonNode served, Map<String, Integer> differences) {
        if (mine.equals(served)) {
            return;
        }
        if (mine.isObject() && served.isObject()) {
            Set<String> names = new TreeSet<>();
            for (Iterator<String> it = mine.fieldNames(); it.hasNext(); ) {
                names.add(it.next());
            }
            for (Iterator<String> it = served.fieldNames(); it.hasNext(); ) {
                names.add(it.next());
            }
            names.forEach(name ->
                    compare(path + "." + name, mine.path(name), served.path(name), differences));
        } else if (mine.isArray() && served.isArray() && mine.size() == served.size()) {
            for (int i = 0; i < mine.size(); i++) {
                compare(path + "[]", mine.get(i), served.get(i), differences);
            }
        } else {
            differences.merge(
                    path + " is " + shown(mine) + ", not " + shown(served), 1, Integer::sum);
        }
    }

    private static String shown(JsonNode node) {
        String text = node.isMissingNode() ? "absent" : node.toString();
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }
}
