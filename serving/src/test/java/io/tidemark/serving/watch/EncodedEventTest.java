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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncodedEventTest {
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

    @Test
    void writesTheFormerContentAtTheRevisionOfTheChange() {
        ObjectChange change = new ObjectChange(9, 0, KEY, version("y", 9), version("x", 5));
        byte[] line = new EncodedEvent(change).line(new TextEncoder(), Transition.LEFT);
        assertThat(new String(line, StandardCharsets.UTF_8))
                .isEqualTo("DELETED /r/a/k x@5 as of 9");
    }

    @Test
    void encodesALineOnceForAllWatches() {
        EncodedEvent event =
                new EncodedEvent(new ObjectChange(9, 0, KEY, version("x", 9), version("x", 5)));
        byte[] first = event.line(new TextEncoder(), Transition.CHANGED);
        assertThat(event.line(new TextEncoder(), Transition.CHANGED)).isSameAs(first);
        assertThat(event.line(new TextEncoder(), Transition.ENTERED)).isNotSameAs(first);
    }

    /** Encodes type, key, value and revision as text; shared by all watches. */
    private static final class TextEncoder implements EventEncoder {
        @Override
        public Optional<Object> shareKey() {
            return Optional.of(TextEncoder.class);
        }

        @Override
        public byte[] line(EventType type, StoredObject object, long resourceVersion) {
            return "%s %s %s as of %d"
                    .formatted(type, object.key(), object.valueText(), resourceVersion)
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
            throw new AssertionError("no test sends a bookmark");
        }
    }
}
