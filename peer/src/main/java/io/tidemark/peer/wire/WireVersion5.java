package io.tidemark.peer.wire;

import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ReadRequest;

/** Version 5: every message has exactly the fields that it was released with. */
final class WireVersion5 implements WireVersion {
    @Override
    public int number() {
        return 5;
    }

    /** Without the limit of the answer, which this version has no place for. */
    @Override
    public byte[] encodeRequest(WireRequest request) {
        WireOutput out = new WireOutput();
        RequestCodec.write(request.read(), out);
        return out.toByteArray();
    }

    @Override
    public WireRequest decodeRequest(byte[] bytes) throws WireException {
        WireInput in = new WireInput(bytes);
        ReadRequest<?> read = RequestCodec.read(in);
        in.end();
        return new WireRequest(read, WireRequest.UNLIMITED);
    }

    @Override
    public <T> byte[] encodeAnswer(
            ReadRequest<T> request, WireAnswer<T> answer, int expectedBytes) {
        WireOutput out = new WireOutput(expectedBytes);
        StateCodec.write(answer.state(), out);
        RequestCodec.writeOutcome(request, answer.outcome(), out);
        return out.toByteArray();
    }

    @Override
    public <T> WireAnswer<T> decodeAnswer(ReadRequest<T> request, byte[] bytes)
            throws WireException {
        WireInput in = new WireInput(bytes);
        PartitionState state = StateCodec.read(in);
        WireAnswer<T> answer = new WireAnswer<>(state, RequestCodec.readOutcome(request, in));
        in.end();
        return answer;
    }

    @Override
    public byte[] encodeFrame(StateFrame frame) {
        WireOutput out = new WireOutput(StateCodec.expectedBytes(frame));
        StateCodec.writeFrame(frame, out, StateCodec::write);
        return out.toByteArray();
    }

    @Override
    public StateFrame decodeFrame(byte[] bytes) throws WireException {
        WireInput in = new WireInput(bytes);
        StateFrame frame = StateCodec.readFrame(in, StateCodec::read);
        in.end();
        return frame;
    }
}
