package io.tidemark.peer.wire;

import io.tidemark.view.PartitionState;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Encodes and decodes replica states, single ones and frames with those that have changed, as all
 * versions have them.
 */
final class StateCodec {
    private static final int LEAST_BYTES = Integer.BYTES + 1 + 8 * Long.BYTES + Integer.BYTES;
    private static final int LEAST_PUSHED = 3 * Integer.BYTES + 2 * Long.BYTES;

    /** Reads a state as a version has it. */
    @FunctionalInterface
    interface StateReader {
        PartitionState read(WireInput in) throws WireException;
    }

    private StateCodec() {}

    static void write(PartitionState state, WireOutput out) {
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

    static PartitionState read(WireInput in) throws WireException {
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

    /** Writes a frame, of which the version writes the states. */
    static void writeFrame(
            StateFrame frame, WireOutput out, BiConsumer<PartitionState, WireOutput> writer) {
        out.flag(frame.leaving());
        out.int32(frame.moved().size());
        frame.moved()
                .forEach((partition, state) -> {
                    out.int32(partition);
                    writer.accept(state, out);
                });
        out.int32(frame.changes().size());
        frame.changes()
                .forEach((partition, pushed) -> {
                    out.int32(partition);
                    out.int64(pushed.afterRevision());
                    ObjectCodec.writeChanges(pushed.page(), out);
                });
    }

    /** Reads a frame, of which the version reads the states. */
    static StateFrame readFrame(WireInput in, StateReader reader) throws WireException {
        boolean leaving = in.flag();
        Map<Integer, PartitionState> moved = new TreeMap<>();
        int count = in.count(LEAST_BYTES);
        for (int i = 0; i < count; i++) {
            moved.put(in.int32(), reader.read(in));
        }
        Map<Integer, PushedChanges> changes = new TreeMap<>();
        int feeds = in.count(LEAST_PUSHED);
        for (int i = 0; i < feeds; i++) {
            changes.put(in.int32(), new PushedChanges(in.int64(), ObjectCodec.readChanges(in)));
        }
        return new StateFrame(leaving, moved, changes);
    }

    /** Expected bytes of a frame. */
    static int expectedBytes(StateFrame frame) {
        return 16 + frame.moved().size() * (LEAST_BYTES + 32);
    }
}
