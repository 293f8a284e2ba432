package io.tidemark.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
    /** A reader of a connection that delivers a few bytes at a time, and then ends. */
    private static ResponseReader reader(String sent, int bytesAtATime) {
        ByteBuffer all = ByteBuffer.wrap(sent.getBytes(StandardCharsets.UTF_8));
        return new ResponseReader(
                into -> {
                    if (!all.hasRemaining()) {
                        return -1;
                    }
                    int bytes = Math.min(bytesAtATime, Math.min(all.remaining(), into.remaining()));
                    into.put(all.slice(all.position(), bytes));
                    all.position(all.position() + bytes);
                    return bytes;
                },
                ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static String body(ResponseReader reader) throws IOException {
        ResponseReader.Prefix kept = new ResponseReader.Prefix(1_000);
        long bytes = reader.readBody(kept);
        assertThat(bytes).isEqualTo(kept.text().length());
        return kept.text();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64})
    void readsBodiesOfAllFramingsOneAfterTheOther(int bytesAtATime) throws IOException {
        ResponseReader reader =
                reader(
                        "HTTP/1.1 200 OK\r\n"
                                + "Content-Length: 5\r\n\r\n"
                                + "firstHTTP/1.1 410 Gone\r\n"
                                + "transfer-encoding: Chunked\r\n\r\n"
                                + "3;name=value\r\n"
                                + "sec\r\n"
                                + "A\r\n"
                                + "ond in two\r\n"
                                + "0\r\n"
                                + "Trailer: 1\r\n\r\n"
                                + "HTTP/1.1 304 Not Modified\r\n"
                                + "ETag: x\r\n\r\n"
                                + "HTTP/1.1 200 OK\r\n\r\n"
                                + "up to the end",
                        bytesAtATime);
        assertThat(reader.readHead().isOk()).isTrue();
        assertThat(body(reader)).isEqualTo("first");
        assertThat(reader.readHead().status()).isEqualTo(410);
        assertThat(body(reader)).isEqualTo("second in two");
        assertThat(reader.readHead().status()).isEqualTo(304);
        assertThat(body(reader)).isEmpty();
        assertThat(reader.readHead().isOk()).isTrue();
        assertThat(body(reader)).isEqualTo("up to the end");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 9\r\n\r\nshort",
                "Transfer-Encoding: chunked\r\n\r\n9\r\nshort"
            })
    void anEndWithinABodyIsAnError(String response) throws IOException {
        ResponseReader reader = reader("HTTP/1.1 200 OK\r\n" + response, 64);
        assertThat(reader.readHead().isOk()).isTrue();
        assertThatThrownBy(() -> reader.readBody(BodySink.DISCARD))
                .isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-x\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 2\r\n\r\n"})
    void rejectsWhatIsNotHttp11(String response) {
        assertThatThrownBy(reader(response, 64)::readHead).isInstanceOf(ProtocolException.class);
    }
}
