package io.tidemark.query.http.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChunkOutputTest {
    private final List<@Nullable Throwable> ends = new ArrayList<>();

    @Test
    void sendsTheLinesOfAStepAsOneChunk() throws Exception {
        ByteArrayEndPoint client = new ByteArrayEndPoint(new byte[0], 1000);
        assertThat(
                        new ChunkOutput(client, () -> false)
                                .write(lines("one\n", "second\n"), ends::add))
                .isTrue();
        assertThat(client.takeOutputString()).isEqualTo("b\r\none\nsecond\n\r\n");
        assertThat(ends).isEmpty();
    }

    @Test
    void endsTheChunkThatJettyHasBegun() throws Exception {
        ByteArrayEndPoint client = new ByteArrayEndPoint(new byte[0], 1000);
        List<byte[]> line = lines("one\n");
        assertThat(new ChunkOutput(client, () -> true).write(line, ends::add)).isTrue();
        assertThat(client.takeOutputString()).isEqualTo("\r\n4\r\none\n");
        assertThat(new ChunkOutput(client, () -> false).write(line, ends::add)).isTrue();
        assertThat(client.takeOutputString()).isEqualTo("4\r\none\n\r\n");
        assertThat(new ChunkOutput(client, () -> true).write(line, ends::add)).isTrue();
        assertThat(client.takeOutputString()).isEqualTo("\r\n4\r\none\n");
    }

    /** The chunk of one client is still incomplete while others get theirs. */
    @Test
    void completesAWriteAfterOthersOfTheSameThread() throws Exception {
        SplittableRandom random = new SplittableRandom(17);
        for (int round = 0; round < 50; round++) {
            ByteArrayEndPoint slow = new ByteArrayEndPoint(new byte[0], 10 + random.nextInt(100));
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            boolean follows = random.nextBoolean();
            List<byte[]> first = randomLines(random);
            assertThat(new ChunkOutput(slow, () -> follows).write(first, ends::add)).isFalse();
            List<byte[]> second = randomLines(random);
            for (int other = 0; other < 3; other++) {
                ByteArrayEndPoint fast = new ByteArrayEndPoint(new byte[0], 1 << 20);
                assertThat(new ChunkOutput(fast, () -> !follows).write(second, ends::add)).isTrue();
                assertThat(bytes(fast.takeOutput())).isEqualTo(chunk(second, !follows));
            }
            while (ends.isEmpty()) {
                read.writeBytes(bytes(slow.takeOutput()));
                slow.getWriteFlusher().completeWrite();
            }
            read.writeBytes(bytes(slow.takeOutput()));
            assertThat(read.toByteArray()).isEqualTo(chunk(first, follows));
            assertThat(ends).containsExactly((Throwable) null);
            ends.clear();
        }
    }

    @Test
    void disconnectsAClientThatReadsNothing() throws Exception {
        ByteArrayEndPoint client = new ByteArrayEndPoint(new byte[0], 4);
        ChunkOutput output = new ChunkOutput(client, () -> false);
        assertThat(output.onIdle(new TimeoutException())).isFalse();
        assertThat(client.isOpen()).isTrue();
        assertThat(output.write(lines("longer\n"), ends::add)).isFalse();
        assertThat(output.onIdle(new TimeoutException())).isFalse();
        assertThat(client.isOpen()).isFalse();
        assertThat(ends).singleElement().isInstanceOf(TimeoutException.class);
    }

    private static List<byte[]> randomLines(SplittableRandom random) {
        List<byte[]> lines = new ArrayList<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            byte[] line = new byte[random.nextInt(200, 40_000)];
            random.nextBytes(line);
            lines.add(line);
        }
        return lines;
    }

    private static byte[] chunk(List<byte[]> lines, boolean follows) {
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        int length = lines.stream().mapToInt(line -> line.length).sum();
        String head = Integer.toHexString(length) + "\r\n";
        chunk.writeBytes((follows ? "\r\n" + head : head).getBytes(StandardCharsets.US_ASCII));
        lines.forEach(chunk::writeBytes);
        if (!follows) {
            chunk.writeBytes(new byte[] {'\r', '\n'});
        }
        return chunk.toByteArray();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        return BufferUtil.toArray(buffer);
    }

    private static List<byte[]> lines(String... lines) {
        return Arrays.stream(lines).map(line -> line.getBytes(StandardCharsets.US_ASCII)).toList();
    }
}
