package io.tidemark.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.IndexSettings.Field;
import io.tidemark.view.object.HashRange;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IndexEntriesTest {
    private static final Bytes POD = Bytes.utf8("/pods/a");

    @Test
    void changesOnlyTheEntriesOfChangedLabels() {
        StoredObject before = pod("n1", Map.of("app", "x", "tier", "web", "old", "1"));
        StoredObject after = pod("n1", Map.of("app", "y", "tier", "web", "new", ""));
        assertThat(changes(null, before))
                .containsExactlyInAnyOrder(
                        "+f|node|n1|/pods/a",
                        "+l|app|x|/pods/a",
                        "+l|tier|web|/pods/a",
                        "+l|old|1|/pods/a");
        assertThat(changes(before, after))
                .containsExactlyInAnyOrder(
                        "-l|app|x|/pods/a",
                        "+l|app|y|/pods/a",
                        "-l|old|1|/pods/a",
                        "+l|new||/pods/a");
        assertThat(changes(after, null))
                .containsExactlyInAnyOrder(
                        "-f|node|n1|/pods/a",
                        "-l|app|y|/pods/a",
                        "-l|tier|web|/pods/a",
                        "-l|new||/pods/a");
    }

    @Test
    void writesNothingWhileLabelsAndFieldsStay() {
        StoredObject pod = pod("n1", Map.of("app", "x"));
        assertThat(changes(pod, pod("n1", Map.of("app", "x")))).isEmpty();
        assertThat(changes(pod, pod("n2", Map.of("app", "x"))))
                .containsExactlyInAnyOrder("-f|node|n1|/pods/a", "+f|node|n2|/pods/a");
    }

    @Test
    void leavesOutWhatNoEntryCanHold() {
        StoredObject odd =
                pod("", Map.of("", "x", "a\0b", "x", "nul", "a\0b", "long", "v".repeat(513)));
        assertThat(changes(null, odd)).containsExactly("+f|node||/pods/a");
        assertThat(IndexEntries.isIndexable("app", "v".repeat(512))).isTrue();
        assertThat(IndexEntries.isIndexable("app", "v".repeat(513))).isFalse();
        assertThat(IndexEntries.isIndexable("app", "a\0b")).isFalse();
        assertThat(IndexEntries.isIndexable("a\0b", "x")).isFalse();
        assertThat(IndexEntries.isIndexable("", "x")).isFalse();
    }

    @Test
    void tooManyLabelsTakeOneEntry() {
        StoredObject few = pod("", labels(IndexEntries.MAX_LABELS));
        StoredObject many = pod("", labels(IndexEntries.MAX_LABELS + 1));
        assertThat(changes(null, few)).hasSize(1 + IndexEntries.MAX_LABELS);
        assertThat(changes(null, many)).containsExactly("+f|node||/pods/a", "+l|||/pods/a");
        assertThat(changes(many, few))
                .hasSize(1 + IndexEntries.MAX_LABELS)
                .contains("-l|||/pods/a");
        assertThat(changes(few, many))
                .hasSize(1 + IndexEntries.MAX_LABELS)
                .contains("+l|||/pods/a");
        assertThat(Bytes.utf8("l\0\0")).isEqualTo(IndexEntries.tooManyLabels());
    }

    @Test
    void theBucketOfAHashChangesWithItsField() {
        StoredObject before = pod("n1", Map.of());
        assertThat(hashed(null, before)).hasSize(2).allMatch(each -> each.startsWith("+"));
        assertThat(hashed(before, pod("n2", Map.of("app", "x")))).isEmpty();
        assertThat(hashed(before, null)).hasSize(2).allMatch(each -> each.startsWith("-"));
        String bucket = Integer.toString(HashRange.bucket(HashRange.hash("u")), 32);
        assertThat(hashed(null, before)).contains("+fhash(metadata.uid)\0" + bucket + "\0/pods/a");
    }

    private static List<String> hashed(
            @Nullable StoredObject previous, @Nullable StoredObject next) {
        WriteBatch batch = new WriteBatch();
        IndexEntries.replace(batch, List.of(), POD, previous, next);
        List<String> changes = new ArrayList<>();
        batch.writesOf(Family.INDEX)
                .forEach((entry, value) -> {
                    if (entry.utf8().startsWith("fhash(")) {
                        changes.add((value == null ? "-" : "+") + entry.utf8());
                    }
                });
        return changes;
    }

    private static Map<String, String> labels(int count) {
        Map<String, String> labels = new HashMap<>();
        for (int i = 0; i < count; i++) {
            labels.put("label-" + i, "x");
        }
        return labels;
    }

    private static List<String> changes(
            @Nullable StoredObject previous, @Nullable StoredObject next) {
        WriteBatch batch = new WriteBatch();
        IndexEntries.replace(
                batch, List.of(new Field(Bytes.utf8("/pods/"), "node")), POD, previous, next);
        List<String> changes = new ArrayList<>();
        batch.writesOf(Family.INDEX)
                .forEach((entry, value) -> {
                    String text = entry.utf8();
                    if (text.startsWith("fhash(")) {
                        return;
                    }
                    String parted = text.charAt(0) + "|" + text.substring(1).replace('\0', '|');
                    changes.add((value == null ? "-" : "+") + parted);
                });
        return changes;
    }

    private static StoredObject pod(String node, Map<String, String> labels) {
        return StoredObject.encode(
                POD,
                Bytes.utf8("{}"),
                ContentType.KUBERNETES_JSON,
                9,
                1,
                1,
                0,
                "",
                labels,
                Map.of("node", node, "metadata.uid", "u", "metadata.namespace", "x"),
                0);
    }
}
