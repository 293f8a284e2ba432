package io.tidemark.peer.wire;

import io.tidemark.view.PartitionState;
import java.util.Map;
import java.util.TreeMap;

/** Encodes and decodes replica states: single ones, and frames with those that have changed. */
public final class StateCodec {
    private static final int LEAST_BYTES = Integer.BYTES + 1 + 8 * Long.BYTES + Integer.BYTES;
    private static final int LEAST_PUSHED = 3 * Integer.BYTES + 2 * Long.BYTES;

    private StateCodec() {}

    public static void write(PartitionState state, WireOutput out) {
        out.flag(state.ready());
        out.int64(state.epoch());
        out.int64(state.clusterId());
        out.int64(state.floor());
        out.int64(state.watermark());
        out.int64(state.lastChangeRevision());
        out.int64(state.appliedOffset());
        out.int64(state.markTimeMillis());
        out.int64(state.unreadable());
        out.text(state.connector());
    }

    public static PartitionState read(WireInput in) throws WireException {
        return new PartitionState(
                in.flag(),
                in.int64(),
                in.int64(),
                in.int64(),
                in.int64(),
                in.int64(),
                in.int64(),
                in.int64(),
                in.int64(),
                in.text());
    }

    public static byte[] frame(StateFrame frame) {
        Map<Integer, PartitionState> moved = frame.moved();
        WireOutput out = new WireOutput(1 + 2 * Integer.BYTES + moved.size() * (LEAST_BYTES + 32));
        out.flag(frame.leaving());
        out.int32(moved.size());
        moved.forEach((partition, state) -> {
            out.int32(partition);
            write(state, out);
        });
        out.int32(frame.changes().size());
        frame.changes()
                .forEach((partition, pushed) -> {
                    out.int32(partition);
                    out.int64(pushed.afterRevision());
                    ObjectCodec.writeChanges(pushed.page(), out);
                });
        return out.toByteArray();
    }

    public static StateFrame readFrame(byte[] frame) throws WireException {
        WireInput in = new WireInput(frame);
        boolean leaving = in.flag();
        Map<Integer, PartitionState> moved = new TreeMap<>();
        int count = in.count(LEAST_BYTES);
        for (int i = 0; i < count; i++) {
            moved.put(in.int32(), read(in));
        }
        Map<Integer, PushedChanges> changes = new TreeMap<>();
        int feeds = in.count(LEAST_PUSHED);
        for (int i = 0; i < feeds; i++) {
            changes.put(in.int32(), new PushedChanges(in.int64(), ObjectCodec.readChanges(in)));
        }
        in.end();
        return new StateFrame(leaving, moved, changes);
    }
}
