package io.tidemark.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.content.ProtobufWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameScannerTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findsEventsHoweverTheyAreSplit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String type = List.of("ADDED", "BOOKMARK", "ERROR").get(random.nextInt(3));
            long revision = random.nextLong(1, 1L << 40);
            stream.writeBytes(frame(type, revision, random.nextInt(5_000)));
            expected.add(type.equals("ADDED") ? "ADDED " + revision : type);
        }
        List<String> seen = new ArrayList<>();
        FrameScanner scanner = new FrameScanner(listener(seen));
        byte[] bytes = stream.toByteArray();
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + random.nextInt(1, 3_000));
            scanner.accept(ByteBuffer.wrap(bytes).position(from).limit(to));
            from = to;
        }
        assertThat(seen).isEqualTo(expected);
    }

    private static byte[] frame(String type, long revision, int padding) {
        ProtobufWriter metadata =
                new ProtobufWriter()
                        .text(1, "x")
                        .number(7, 300)
                        .text(6, Long.toString(revision))
                        .text(5, "uid");
        ProtobufWriter object = new ProtobufWriter().message(1, metadata);
        byte[] document = ProtobufWriter.stored("v1", "Pod", object.text(9, "y".repeat(padding)));
        byte[] event =
                new ProtobufWriter()
                        .text(1, type)
                        .message(2, new ProtobufWriter().bytes(1, document))
                        .bytes();
        return ByteBuffer.allocate(Integer.BYTES + event.length)
                .putInt(event.length)
                .put(event)
                .array();
    }

    private static EventScanner.Listener listener(List<String> seen) {
        return new EventScanner.Listener() {
            @Override
            public void onEvent(long revision) {
                seen.add("ADDED " + revision);
            }

            @Override
            public void onBookmark() {
                seen.add("BOOKMARK");
            }

            @Override
            public void onError(String text) {
                seen.add("ERROR");
            }
        };
    }
}
