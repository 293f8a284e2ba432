package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchFilterTest {
    private static final Bytes KEY = Bytes.utf8("/r/a/k");
    private static final WatchFilter X_ONLY =
            new WatchFilter(
                    KeyScope.exact(KEY),
                    new Selection(
                            true,
                            List.of(
                                    new Requirement(
                                            Source.LABEL, "app", Operator.IN, Set.of("x")))),
                    WatchFilter.WITHOUT_VERSIONS);

    /** {@code -} is absent, {@code raw} an unreadable value, else the label's value. */
    private static @Nullable StoredObject version(String what, long revision) {
        if (what.equals("-")) {
            return null;
        }
        boolean raw = what.equals("raw");
        return StoredObject.encode(
                KEY,
                Bytes.utf8(what + "@" + revision),
                raw ? ContentType.RAW : ContentType.KUBERNETES_JSON,
                revision,
                1,
                1,
                0,
                raw ? "no JSON" : "",
                Map.of("app", what),
                Map.of(),
                0);
    }

    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @CsvSource({
        "-, x, ENTERED",
        "y, x, ENTERED",
        "raw, x, ENTERED",
        "x, x, CHANGED",
        "x, y, LEFT",
        "x, -, LEFT",
        "x, raw, LEFT",
        "-, y, none",
        "y, y, none",
        "y, -, none",
        "raw, raw, none",
        "-, raw, none",
        "raw, -, none"
    })
    void derivesTheTransitionOfAFilter(String before, String now, String meaning) {
        ObjectChange change = new ObjectChange(9, 0, KEY, version(now, 9), version(before, 5));
        assertThat(X_ONLY.transition(change).map(Enum::name).orElse("none")).isEqualTo(meaning);
    }
}
