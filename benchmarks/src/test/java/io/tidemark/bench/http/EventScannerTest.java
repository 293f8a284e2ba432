package io.tidemark.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventScannerTest {
    private static final class Seen implements EventScanner.Listener {
        private final List<String> all = new ArrayList<>();

        @Override
        public void onEvent(long revision) {
            all.add("event " + revision);
        }

        @Override
        public void onBookmark() {
            all.add("bookmark");
        }

        @Override
        public void onError(String text) {
            all.add("error " + text.length());
        }
    }

    private static String event(long revision, int padding) {
        return "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"x\",\"uid\":\"r\","
                + "\"resourceVersion\":\""
                + revision
                + "\"},\"data\":\""
                + "y".repeat(padding)
                + "\"}}\n";
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findsEventsHoweverTheyAreSplit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder stream = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            if (random.nextInt(5) == 0) {
                stream.append("{\"type\":\"BOOKMARK\",\"object\":{}}\n");
                expected.add("bookmark");
            } else {
                long revision = random.nextLong(1, 1L << 40);
                stream.append(event(revision, random.nextInt(5_000)));
                expected.add("event " + revision);
            }
        }
        Seen seen = new Seen();
        EventScanner scanner = new EventScanner(seen);
        byte[] bytes = stream.toString().getBytes(StandardCharsets.UTF_8);
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + random.nextInt(1, 3_000));
            scanner.accept(buffer(bytes).position(from).limit(to));
            from = to;
        }
        assertThat(seen.all).isEqualTo(expected);
    }

    @Test
    void aRevisionBeyondTheFirstBytesIsUnknown() {
        Seen seen = new Seen();
        String event =
                "{\"type\":\"ADDED\",\"a\":\""
                        + "z".repeat(3_000)
                        + "\",\"resourceVersion\":\"7\"}\n";
        new EventScanner(seen).accept(buffer(event.getBytes(StandardCharsets.UTF_8)));
        assertThat(seen.all).containsExactly("event 0");
    }

    @Test
    void errorsAreReported() {
        Seen seen = new Seen();
        String error = "{\"type\":\"ERROR\",\"object\":{\"code\":410}}";
        new EventScanner(seen).accept(buffer((error + "\n").getBytes(StandardCharsets.UTF_8)));
        assertThat(seen.all).containsExactly("error " + error.length());
    }

    /** Bytes above 127, and those that differ from a newline in one bit, are none. */
    @Test
    void findsTheFirstNewlineOnly() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] others = {0x0b, 0x08, 0x0e, 0x1a, (byte) 0x8a, 0, (byte) 0xff, 0x09};
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = new byte[random.nextInt(1, 40)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = others[random.nextInt(others.length)];
            }
            int newlines = random.nextInt(3);
            for (int i = 0; i < newlines; i++) {
                bytes[random.nextInt(bytes.length)] = '\n';
            }
            int expected = new String(bytes, StandardCharsets.ISO_8859_1).indexOf('\n');
            assertThat(EventScanner.newline(buffer(bytes))).isEqualTo(expected);
        }
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
