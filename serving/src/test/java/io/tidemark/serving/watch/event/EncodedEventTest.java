package io.tidemark.serving.watch.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EncodedEventTest {
    private static final Bytes KEY = Bytes.utf8("/r/a/k");

    private static StoredObject version(String label, long revision) {
        return StoredObject.encode(
                KEY,
                Bytes.utf8(label + "@" + revision),
                ContentType.KUBERNETES_JSON,
                revision,
                1,
                1,
                0,
                "",
                Map.of("app", label),
                Map.of(),
                0);
    }

    @Test
    void writesTheFormerContentAtTheRevisionOfTheChange() {
        ObjectChange change = new ObjectChange(9, 0, KEY, version("y", 9), version("x", 5));
        byte[] line = plain(new EncodedEvent(change), Transition.LEFT);
        assertThat(new String(line, StandardCharsets.UTF_8))
                .isEqualTo("DELETED /r/a/k x@5 as of 9");
    }

    @Test
    void encodesALineOnceForAllWatches() {
        EncodedEvent event = changed();
        byte[] first = plain(event, Transition.CHANGED);
        assertThat(plain(event, Transition.CHANGED)).isSameAs(first);
        assertThat(plain(event, Transition.ENTERED)).isNotSameAs(first);
    }

    @Test
    void codesALineOnceForAllWatches() {
        EncodedEvent event = changed();
        CountingCoding coding = new CountingCoding();
        CodedLine first = coded(event, coding);
        assertThat(coded(event, coding)).isSameAs(first);
        assertThat(coding.seen).hasSize(1);
        CountingCoding other = new CountingCoding();
        assertThat(coded(event, other)).isNotSameAs(first);
    }

    @Test
    void codesTheLineThatWatchesWithoutCodingShare() {
        EncodedEvent event = changed();
        byte[] shared = plain(event, Transition.CHANGED);
        CountingCoding coding = new CountingCoding();
        coded(event, coding);
        assertThat(coding.seen.getFirst()).isSameAs(shared);
    }

    @Test
    void countsCodedLinesInItsSize() {
        EncodedEvent event = changed();
        long before = event.bytes();
        coded(event, new CountingCoding());
        assertThat(event.bytes()).isEqualTo(before + 1);
    }

    private static EncodedEvent changed() {
        return new EncodedEvent(new ObjectChange(9, 0, KEY, version("x", 9), version("x", 5)));
    }

    private static byte[] plain(EncodedEvent event, Transition transition) {
        return new Delivery(event, transition).line(new TextEncoder());
    }

    private static CodedLine coded(EncodedEvent event, LineCoding<CodedLine.Plain> coding) {
        return new Delivery(event, Transition.CHANGED).line(new TextEncoder(), coding);
    }

    /** Makes one byte of each line, and keeps the lines. */
    private static final class CountingCoding implements LineCoding<CodedLine.Plain> {
        private final List<byte[]> seen = new ArrayList<>();

        @Override
        public CodedLine.Plain encode(byte[] line) {
            seen.add(line);
            return new CodedLine.Plain(new byte[1]);
        }

        @Override
        public Class<CodedLine.Plain> type() {
            return CodedLine.Plain.class;
        }
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
