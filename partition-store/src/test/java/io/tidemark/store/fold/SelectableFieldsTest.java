package io.tidemark.store.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.fold.SelectableFields.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectableFieldsTest {
    private static final String TEXT =
            """
            # A comment.

            /Pod  spec.nodeName
            /Pod  status.phase default Unknown
            apps/Thing  source = spec.a spec.b default none
            """;

    @Test
    void readsNamesPathsAndDefaultsOfEachKind() {
        SelectableFields fields = SelectableFields.parse(TEXT);
        assertThat(fields.of("", "Pod"))
                .containsExactly(
                        new Field("spec.nodeName", List.of("spec.nodeName"), ""),
                        new Field("status.phase", List.of("status.phase"), "Unknown"));
        assertThat(fields.of("apps", "Thing"))
                .containsExactly(new Field("source", List.of("spec.a", "spec.b"), "none"));
        assertThat(fields.of("apps", "Pod")).isEmpty();
        assertThat(fields.paths())
                .containsExactly("spec.a", "spec.b", "spec.nodeName", "status.phase");
    }

    @Test
    void theFingerprintFollowsTheText() {
        assertThat(SelectableFields.parse(TEXT).fingerprint())
                .isEqualTo(SelectableFields.parse(TEXT).fingerprint())
                .isNotEqualTo(SelectableFields.parse(TEXT + " ").fingerprint());
    }

    @Test
    void knowsTheFieldsOfPods() {
        assertThat(SelectableFields.builtIn().of("", "Pod"))
                .extracting(Field::name)
                .contains("spec.nodeName", "status.phase");
    }
}
