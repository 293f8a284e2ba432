package io.tidemark.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.peer.wire.WireSamples.Exchange;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadRequest;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A later release adds fields to version 6; this one skips them. */
class OptionalFieldsTest {
    private static final WireVersion VERSION = new WireVersion6();
    private static final int FIRST_UNKNOWN = 3;
    private final SplittableRandom random = new SplittableRandom(7);

    /** Inserts fields of unknown tags before the end of the message's fields. */
    private byte[] withUnknownFields(byte[] message) {
        assertThat(message[message.length - 1]).isZero();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Arrays.copyOf(message, message.length - 1));
        WireOutput fields = new WireOutput();
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] value = new byte[random.nextInt(40)];
            random.nextBytes(value);
            OptionalFields.write(FIRST_UNKNOWN + random.nextInt(253), value, fields);
        }
        OptionalFields.end(fields);
        out.writeBytes(fields.toByteArray());
        return out.toByteArray();
    }

    @Test
    void skipsFieldsThatItDoesNotKnow() throws WireException {
        for (int round = 0; round < 200; round++) {
            for (ReadRequest<?> request : WireSamples.requests()) {
                WireRequest sent = new WireRequest(request, random.nextLong());
                byte[] bytes = withUnknownFields(VERSION.encodeRequest(sent));
                assertThat(VERSION.decodeRequest(bytes)).isEqualTo(sent);
            }
            for (Exchange<?> exchange : WireSamples.exchanges()) {
                byte[] bytes = withUnknownFields(exchange.encodeAnswer(VERSION));
                assertThat(exchange.decodeAnswer(VERSION, bytes).outcome())
                        .isEqualTo(exchange.outcome());
            }
            for (StateFrame frame : WireSamples.frames()) {
                byte[] bytes = withUnknownFields(VERSION.encodeFrame(frame));
                assertThat(VERSION.decodeFrame(bytes)).isEqualTo(frame);
            }
        }
    }

    @Test
    void skipsUnknownFieldsOfAState() throws WireException {
        WireOutput out = new WireOutput();
        StateCodec.writeFrame(
                WireSamples.frames().getLast(), out, OptionalFieldsTest::writeLaterState);
        OptionalFields.end(out);
        assertThat(VERSION.decodeFrame(out.toByteArray()))
                .isEqualTo(WireSamples.frames().getLast());
    }

    private static void writeLaterState(PartitionState state, WireOutput out) {
        StateCodec.write(state, out);
        OptionalFields.write(17, new byte[] {1, 2, 3}, out);
        OptionalFields.end(out);
    }

    /** A replica of an older release reads all directories, which is more than was asked for. */
    @Test
    void carriesTheDirectoryOfChanges() throws WireException {
        ChangesRequest in = WireSamples.CHANGES_REQUEST.in(Bytes.utf8("shop"));
        byte[] bytes = VERSION.encodeRequest(new WireRequest(in, 123));
        assertThat(VERSION.decodeRequest(bytes).read()).isEqualTo(in);
        byte[] older = new WireVersion5().encodeRequest(new WireRequest(in, 123));
        assertThat(new WireVersion5().decodeRequest(older).read())
                .isEqualTo(WireSamples.CHANGES_REQUEST);
    }

    @Test
    void carriesTheReadersLimit() throws WireException {
        byte[] bytes = VERSION.encodeRequest(new WireRequest(WireSamples.GET, 123));
        assertThat(VERSION.decodeRequest(bytes).maxAnswerBytes()).isEqualTo(123);
        byte[] older = new WireVersion5().encodeRequest(new WireRequest(WireSamples.GET, 123));
        assertThat(new WireVersion5().decodeRequest(older).maxAnswerBytes())
                .isEqualTo(WireRequest.UNLIMITED);
    }

    @Test
    void refusesAFieldOfAnotherLength() {
        WireOutput out = new WireOutput();
        RequestCodec.write(WireSamples.GET, out);
        OptionalFields.write(WireVersion6.MAX_ANSWER_BYTES, new byte[] {1}, out);
        OptionalFields.end(out);
        assertThatThrownBy(() -> VERSION.decodeRequest(out.toByteArray()))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("field 1 has 1 bytes");
    }
}
