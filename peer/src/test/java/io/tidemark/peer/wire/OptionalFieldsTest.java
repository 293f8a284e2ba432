package io.tidemark.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.peer.wire.WireSamples.Exchange;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanRequest;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A later release adds fields to version 6; this one skips them. */
class OptionalFieldsTest {
    private static final WireVersion VERSION = new WireVersion6();
    private static final int FIRST_UNKNOWN = WireVersion6.CHECKSUM + 1;
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
            OptionalFields.write(
                    FIRST_UNKNOWN + random.nextInt(256 - FIRST_UNKNOWN), value, fields);
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

    /** A replica of an older release answers with whole objects, which the reader encodes. */
    @ParameterizedTest
    @MethodSource("protobuf")
    void carriesTheProtobufForm(ReadRequest<?> whole, ReadRequest<?> wanted) throws WireException {
        byte[] bytes = VERSION.encodeRequest(new WireRequest(wanted, 123));
        assertThat(VERSION.decodeRequest(bytes).read()).isEqualTo(wanted);
        byte[] older = new WireVersion5().encodeRequest(new WireRequest(wanted, 123));
        assertThat(new WireVersion5().decodeRequest(older).read()).isEqualTo(whole);
    }

    static List<Arguments> protobuf() {
        GetRequest get = new GetRequest(Bytes.utf8("/registry/pods/a/b"), 7);
        ScanRequest scan =
                new ScanRequest(
                        Bytes.utf8("/registry/pods/"), Bytes.EMPTY, 7, Selection.OBJECTS, 10, 1000);
        List<Arguments> all = new ArrayList<>();
        for (Projection form :
                List.of(
                        Projection.CHECKSUM,
                        new Projection.Protobuf("v1 Pod"),
                        new Projection.ProtobufLength("apps/v1 Deployment"))) {
            all.add(Arguments.of(get, get.with(form)));
            all.add(Arguments.of(scan, scan.with(form)));
        }
        return all;
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
