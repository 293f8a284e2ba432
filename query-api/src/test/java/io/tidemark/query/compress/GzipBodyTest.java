package io.tidemark.query.compress;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipBodyTest {
    private final GzipPieces pieces = new GzipPieces(1);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    @AfterEach
    void free() {
        pieces.close();
    }

    /** Content of a random length, at times longer than the buffers, that compresses at times. */
    private static byte[] part(Random random) {
        byte[] part = new byte[random.nextInt(1 << random.nextInt(1, 19))];
        if (random.nextInt(4) == 0) {
            random.nextBytes(part);
        } else {
            for (int i = 0; i < part.length; i++) {
                part[i] = (byte) ('a' + (random.nextInt(30) == 0 ? random.nextInt(26) : i % 7));
            }
        }
        return part;
    }

    private void write(BodyCompressor body, Random random) throws IOException {
        byte[] part = part(random);
        content.writeBytes(part);
        if (random.nextBoolean()) {
            GzipPiece piece = pieces.encode(part);
            assertThat(piece.plain()).isEqualTo(part);
            body.write(piece);
        } else {
            int cut = part.length / 3;
            body.write(part, 0, cut);
            body.write(part, cut, part.length - cut);
        }
    }

    private void check() throws IOException {
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
            assertThat(in.readAllBytes()).isEqualTo(content.toByteArray());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void piecesAndBytesInAnyOrderAreOneStream(long seed) throws Exception {
        Random random = new Random(seed);
        try (BodyCompressor body = BodyCompressor.of(ContentCoding.GZIP, sent)) {
            for (int i = random.nextInt(40); i > 0; i--) {
                write(body, random);
            }
            body.finish();
        }
        check();
    }

    /** A stretch that ends where the buffer does needs another call for its last bytes. */
    @Test
    void stretchesMayEndAnywhereInABuffer() throws Exception {
        Random random = new Random(7);
        byte[] noise = new byte[70_000];
        random.nextBytes(noise);
        GzipPiece piece = pieces.encode(new byte[1]);
        for (int length = 65_480; length < 65_560; length++) {
            sent.reset();
            content.reset();
            try (BodyCompressor body = BodyCompressor.of(ContentCoding.GZIP, sent)) {
                body.write(noise, 0, length);
                body.write(piece);
                body.finish();
            }
            content.write(noise, 0, length);
            content.write(0);
            check();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GZIP", "ZSTD"})
    void otherCodingsUnpackPieces(ContentCoding coding) throws Exception {
        try (BodyCompressor body = BodyCompressor.of(coding, sent)) {
            body.write(pieces.encode("one".getBytes(StandardCharsets.UTF_8)));
            body.finish();
        }
        try (var in =
                coding == ContentCoding.GZIP
                        ? new GZIPInputStream(new ByteArrayInputStream(sent.toByteArray()))
                        : new ZstdInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
            assertThat(in.readAllBytes()).isEqualTo("one".getBytes(StandardCharsets.UTF_8));
        }
    }
}
