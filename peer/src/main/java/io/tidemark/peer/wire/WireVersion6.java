package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanRequest;

/**
 * Version 6: each message, and each state inside one, ends with {@link OptionalFields}. So a field
 * that a receiver may ignore needs no new version. The reader's limit of an answer is the first.
 */
final class WireVersion6 implements WireVersion {
    /** In a request: the most bytes of an answer that the reader has memory for. */
    static final int MAX_ANSWER_BYTES = 1;

    /** In a request for changes: the name of the directories. Without it there are more of them. */
    static final int DIRECTORY = 2;

    /**
     * In a request: the type of the protobuf message to answer with, where that is kept. Without it
     * whole objects are answered, which the reader encodes.
     */
    static final int PROTOBUF = 3;

    /** The same, for the message's length with the metadata. */
    static final int PROTOBUF_LENGTH = 4;

    /**
     * In a request: 1 to answer with checksums in the place of values. Without it whole objects are
     * answered, which the reader sums up.
     */
    static final int CHECKSUM = 5;

    /** In a state: the revision after which a bridged gap begins, with {@link #GAP_THROUGH}. */
    static final int GAP_AFTER = 1;

    /** In a state: the revision through which that gap extends. */
    static final int GAP_THROUGH = 2;

    @Override
    public int number() {
        return 6;
    }

    @Override
    public byte[] encodeRequest(WireRequest request) {
        WireOutput out = new WireOutput();
        RequestCodec.write(request.read(), out);
        OptionalFields.write(MAX_ANSWER_BYTES, request.maxAnswerBytes(), out);
        if (request.read() instanceof ChangesRequest changes && changes.directory().length() > 0) {
            OptionalFields.write(DIRECTORY, changes.directory().array(), out);
        }
        switch (projection(request.read())) {
            case Projection.Protobuf(String type) ->
                    OptionalFields.write(PROTOBUF, Bytes.utf8(type).array(), out);
            case Projection.ProtobufLength(String type) ->
                    OptionalFields.write(PROTOBUF_LENGTH, Bytes.utf8(type).array(), out);
            case Projection.Checksum _ -> OptionalFields.write(CHECKSUM, 1, out);
            case Projection.Whole _, Projection.Metadata _ -> {
                // Every version has these.
            }
        }
        OptionalFields.end(out);
        return out.toByteArray();
    }

    /** Only reads of one state can be answered in other forms. */
    private static Projection projection(ReadRequest<?> read) {
        return switch (read) {
            case GetRequest get -> get.projection();
            case ScanRequest scan -> scan.projection();
            default -> Projection.WHOLE;
        };
    }

    @Override
    public WireRequest decodeRequest(byte[] bytes) throws WireException {
        WireInput in = new WireInput(bytes);
        ReadRequest<?> read = RequestCodec.read(in);
        OptionalFields fields = OptionalFields.read(in);
        in.end();
        if (read instanceof ChangesRequest changes) {
            read = changes.in(fields.bytes(DIRECTORY));
        }
        Bytes protobuf = fields.bytes(PROTOBUF);
        Bytes length = fields.bytes(PROTOBUF_LENGTH);
        if (protobuf.length() > 0) {
            read = in(read, new Projection.Protobuf(protobuf.utf8()));
        } else if (length.length() > 0) {
            read = in(read, new Projection.ProtobufLength(length.utf8()));
        } else if (fields.int64(CHECKSUM, 0) == 1) {
            read = in(read, Projection.CHECKSUM);
        }
        return new WireRequest(read, fields.int64(MAX_ANSWER_BYTES, WireRequest.UNLIMITED));
    }

    private static ReadRequest<?> in(ReadRequest<?> read, Projection projection) {
        return switch (read) {
            case GetRequest get -> get.with(projection);
            case ScanRequest scan -> scan.with(projection);
            default -> read;
        };
    }

    @Override
    public <T> byte[] encodeAnswer(
            ReadRequest<T> request, WireAnswer<T> answer, int expectedBytes) {
        WireOutput out = new WireOutput(expectedBytes);
        writeState(answer.state(), out);
        RequestCodec.writeOutcome(request, answer.outcome(), out);
        OptionalFields.end(out);
        return out.toByteArray();
    }

    @Override
    public <T> WireAnswer<T> decodeAnswer(ReadRequest<T> request, byte[] bytes)
            throws WireException {
        WireInput in = new WireInput(bytes);
        PartitionState state = readState(in);
        WireAnswer<T> answer = new WireAnswer<>(state, RequestCodec.readOutcome(request, in));
        OptionalFields.skip(in);
        in.end();
        return answer;
    }

    @Override
    public byte[] encodeFrame(StateFrame frame) {
        WireOutput out = new WireOutput(StateCodec.expectedBytes(frame));
        StateCodec.writeFrame(frame, out, WireVersion6::writeState);
        OptionalFields.end(out);
        return out.toByteArray();
    }

    @Override
    public StateFrame decodeFrame(byte[] bytes) throws WireException {
        WireInput in = new WireInput(bytes);
        StateFrame frame = StateCodec.readFrame(in, WireVersion6::readState);
        OptionalFields.skip(in);
        in.end();
        return frame;
    }

    private static void writeState(PartitionState state, WireOutput out) {
        StateCodec.write(state, out);
        if (!state.gap().equals(BridgedGap.NONE)) {
            OptionalFields.write(GAP_AFTER, state.gap().after(), out);
            OptionalFields.write(GAP_THROUGH, state.gap().through(), out);
        }
        OptionalFields.end(out);
    }

    private static PartitionState readState(WireInput in) throws WireException {
        PartitionState state = StateCodec.read(in);
        OptionalFields fields = OptionalFields.read(in);
        return state.with(new BridgedGap(fields.int64(GAP_AFTER, 0), fields.int64(GAP_THROUGH, 0)));
    }
}
