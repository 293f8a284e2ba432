package io.tidemark.query.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamCodingTest {
    private static final int PIPE = 16 << 20;

    private final Compression compression = new Compression(true, 1 << 20);

    @AfterEach
    void free() {
        compression.close();
    }

    private static InputStream reader(ContentCoding coding, InputStream in) throws IOException {
        return switch (coding) {
            case GZIP -> new GZIPInputStream(in);
            case ZSTD -> new ZstdInputStream(in);
            case IDENTITY -> in;
        };
    }

    private byte[] decoded(ContentCoding coding, List<byte[]> lines) throws IOException {
        StreamCoding stream = compression.ofWatch(coding.token());
        assertThat(stream.coding()).isEqualTo(coding);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(stream.start());
        for (byte[] line : lines) {
            byte[] coded = stream.line(line);
            assertThat(coded).isNotEmpty();
            out.writeBytes(coded);
        }
        out.writeBytes(stream.end());
        try (InputStream in = reader(coding, new ByteArrayInputStream(out.toByteArray()))) {
            return in.readAllBytes();
        }
    }

    private static byte[] joined(List<byte[]> lines) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        lines.forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] text(int length, Random random) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append("{\"name\":\"pod-").append(random.nextInt(1000)).append("\"},");
        }
        return text.substring(0, length).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] noise(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Lengths around the limits of stored blocks, zlib's window and zstd's blocks. */
    private static List<byte[]> samples() {
        Random random = new Random(1);
        List<byte[]> lines = new ArrayList<>();
        for (int length :
                new int[] {
                    0,
                    1,
                    2,
                    100,
                    GzipPieces.STORED - 1,
                    GzipPieces.STORED,
                    GzipPieces.STORED + 1,
                    2_500,
                    32_767,
                    32_768,
                    65_535,
                    65_536,
                    65_537,
                    131_072,
                    131_073,
                    3 << 20
                }) {
            lines.add(text(length, random));
            lines.add(noise(length, random));
            lines.add(new byte[length]);
        }
        return lines;
    }

    @ParameterizedTest
    @EnumSource(
            value = ContentCoding.class,
            names = {"GZIP", "ZSTD"})
    void decodesToTheLinesInAnyOrder(ContentCoding coding) throws IOException {
        List<byte[]> lines = new ArrayList<>(samples());
        assertThat(decoded(coding, lines)).isEqualTo(joined(lines));
        for (int seed = 0; seed < 3; seed++) {
            Collections.shuffle(lines, new Random(seed));
            assertThat(decoded(coding, lines)).isEqualTo(joined(lines));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ContentCoding.class,
            names = {"GZIP", "ZSTD"})
    void decodesEachLineAlone(ContentCoding coding) throws IOException {
        for (byte[] line : samples()) {
            assertThat(decoded(coding, List.of(line))).isEqualTo(line);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ContentCoding.class,
            names = {"IDENTITY", "GZIP"})
    void decodesAStreamWithoutLines(ContentCoding coding) throws IOException {
        assertThat(decoded(coding, List.of())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ContentCoding.class,
            names = {"GZIP", "ZSTD"})
    void letsEachLineBeReadBeforeTheNextIsWritten(ContentCoding coding) throws IOException {
        StreamCoding stream = compression.ofWatch(coding.token());
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream pipe = new PipedInputStream(out, PIPE);
        out.write(stream.start());
        InputStream in = null;
        for (byte[] line : samples()) {
            out.write(stream.line(line));
            in = in == null ? reader(coding, new NoWaiting(pipe)) : in;
            assertThat(in.readNBytes(line.length)).isEqualTo(line);
        }
    }

    /** Fails where a pipe would wait. */
    private static final class NoWaiting extends InputStream {
        private final PipedInputStream pipe;

        NoWaiting(PipedInputStream pipe) {
            this.pipe = pipe;
        }

        @Override
        public int read() throws IOException {
            require();
            return pipe.read();
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            require();
            return pipe.read(bytes, from, Math.min(length, pipe.available()));
        }

        private void require() throws IOException {
            if (pipe.available() == 0) {
                throw new IOException("the reader waits for more than the line's bytes");
            }
        }
    }

    @Test
    void makesPiecesThatDoNotDependOnOthers() throws IOException {
        byte[] line = text(5_000, new Random(3));
        for (ContentCoding coding : List.of(ContentCoding.GZIP, ContentCoding.ZSTD)) {
            byte[] first = compression.ofWatch(coding.token()).line(line);
            StreamCoding later = compression.ofWatch(coding.token());
            later.line(noise(100_000, new Random(4)));
            assertThat(later.line(line)).isEqualTo(first);
            assertThat(first.length).isLessThan(line.length / 2);
        }
    }

    /** Go's reader waits for it before it returns the line. */
    @Test
    void endsEachPieceOfGzipWithAnEmptyBlock() {
        for (byte[] line : samples()) {
            assertThat(compression.ofWatch("gzip").line(line)).endsWith(0, 0, 0xff, 0xff);
        }
    }

    @Test
    void endsGzipWithTheSumAndTheLength() throws IOException {
        StreamCoding stream = compression.ofWatch("gzip");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(stream.start());
        out.writeBytes(stream.line(text(5_000, new Random(3))));
        byte[] withoutEnd = out.toByteArray();
        out.writeBytes(stream.end());
        byte[] whole = out.toByteArray();
        assertThat(whole.length - withoutEnd.length).isEqualTo(10);
        assertThat(read(whole)).hasSize(5_000);
        assertThatThrownBy(() -> read(withoutEnd)).isInstanceOf(EOFException.class);
        for (int i = withoutEnd.length + 2; i < whole.length; i++) {
            byte[] wrong = whole.clone();
            wrong[i] ^= 1;
            assertThatThrownBy(() -> read(wrong)).isInstanceOf(ZipException.class);
        }
    }

    private static byte[] read(byte[] gzip) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_536, 1_000_000})
    void compressesBodies(int length) throws IOException {
        for (ContentCoding coding : List.of(ContentCoding.GZIP, ContentCoding.ZSTD)) {
            for (byte[] body : List.of(text(length, new Random(1)), noise(length, new Random(2)))) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (BodyCompressor compressor = BodyCompressor.of(coding, out)) {
                    int half = length / 2;
                    compressor.write(body, 0, half);
                    compressor.write(body, half, length - half);
                    compressor.finish();
                }
                try (InputStream in = reader(coding, new ByteArrayInputStream(out.toByteArray()))) {
                    assertThat(in.readAllBytes()).isEqualTo(body);
                }
            }
        }
    }

    @Test
    void leavesABodyThatWasNotFinishedIncomplete() throws IOException {
        for (ContentCoding coding : List.of(ContentCoding.GZIP, ContentCoding.ZSTD)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (BodyCompressor compressor = BodyCompressor.of(coding, out)) {
                compressor.write(noise(1_000_000, new Random(5)));
            }
            byte[] part = out.toByteArray();
            assertThat(part).isNotEmpty();
            assertThatThrownBy(() -> reader(coding, new ByteArrayInputStream(part)).readAllBytes())
                    .isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() ->
                        BodyCompressor.of(ContentCoding.IDENTITY, OutputStream.nullOutputStream()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void compressesNoWatchesWhenSwitchedOff() {
        try (Compression off = new Compression(false, 0)) {
            assertThat(off.ofWatch("gzip, zstd")).isSameAs(StreamCoding.PLAIN);
        }
        assertThat(Compression.ofBody("gzip")).isEqualTo(ContentCoding.GZIP);
    }

    @Test
    void countsWhatItCompressed() {
        StreamCoding gzip = compression.ofWatch("gzip");
        gzip.line(new byte[10]);
        gzip.line(new byte[1000]);
        compression.ofWatch("zstd").line(new byte[10]);
        assertThat(compression.lines(ContentCoding.GZIP)).isEqualTo(2);
        assertThat(compression.lines(ContentCoding.ZSTD)).isEqualTo(1);
    }

    @Test
    void compressesFromManyThreadsAtOnce() throws InterruptedException {
        byte[] line = text(5_000, new Random(3));
        byte[] expected = compression.ofWatch("gzip").line(line);
        List<Thread> threads = new ArrayList<>();
        List<Integer> wrong = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 8; i++) {
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                for (int n = 0; n < 200; n++) {
                                    byte[] piece = compression.ofWatch("gzip").line(line);
                                    if (!Arrays.equals(piece, expected)) {
                                        wrong.add(n);
                                    }
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
    }
}
