package io.tidemark.view.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The cost of matching an object, and finding several fields in one pass. */
class SelectionTest {
    private static final int OBJECTS = 50_000;

    private final AtomicLong passes = new AtomicLong();

    private boolean matches(Selection selection, StoredObject object) {
        return selection.matches(
                object,
                (stored, from, to, paths) -> {
                    passes.incrementAndGet();
                    return FieldReader.read(stored, from, to, paths);
                });
    }

    private static Requirement field(String name, Operator operator, String value) {
        return new Requirement(Source.FIELD, name, operator, Set.of(value));
    }

    @Test
    void readsEachValueOnceForAnyNumberOfTerms() {
        List<Requirement> terms = new ArrayList<>();
        for (int i = 0; i < SelectionBounds.TERMS; i++) {
            terms.add(field("spec.f" + i % SelectionBounds.VALUE_FIELDS, Operator.NOT_IN, "v" + i));
        }
        Selection selection = new Selection(true, terms);
        for (int i = 0; i < OBJECTS; i++) {
            assertThat(matches(selection, object(i, Map.of()))).isTrue();
        }
        assertThat(passes).hasValue(OBJECTS);
    }

    @Test
    void readsNoValueOfAnObjectWhoseAttributesDoNotMatch() {
        Selection selection =
                new Selection(
                        true,
                        List.of(
                                field("spec.f0", Operator.IN, "x"),
                                new Requirement(Source.LABEL, "app", Operator.IN, Set.of("web"))));
        assertThat(matches(selection, object(1, Map.of("app", "db")))).isFalse();
        assertThat(passes).hasValue(0);
        assertThat(matches(selection, object(1, Map.of("app", "web")))).isTrue();
        assertThat(passes).hasValue(1);
    }

    @Test
    void findsNestedAndEquallyWrittenPathsInOnePass() {
        StoredObject object =
                stored(
                        "{\"a\":{\"b\":{\"c\":1},\"d\":\"x\",\"d\":\"later\"},\"e.f\":true,"
                                + "\"a\":{\"d\":\"second\"}}",
                        Map.of());
        Selection selection =
                new Selection(
                        true,
                        List.of(
                                field("a.b.c", Operator.IN, "1"),
                                field("a.b", Operator.IN, ""),
                                field("a.d", Operator.IN, "x"),
                                field("\\a.\\d", Operator.IN, "x"),
                                field("e\\.f", Operator.IN, "true"),
                                field("a.absent", Operator.IN, "")));
        assertThat(matches(selection, object)).isTrue();
        assertThat(passes).hasValue(1);
    }

    private static StoredObject object(int number, Map<String, String> labels) {
        return stored(
                "{\"metadata\":{\"resourceVersion\":\"7\"},\"spec\":{\"f0\":\"x\",\"f1\":%d}}"
                        .formatted(number),
                labels);
    }

    private static StoredObject stored(String json, Map<String, String> labels) {
        return StoredObject.encode(
                Bytes.utf8("k"),
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                7,
                7,
                1,
                0,
                "",
                labels,
                Map.of(),
                0);
    }
}
