package io.tidemark.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.etcd.rpc.Rpc;
import io.tidemark.record.Bytes;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Converts between this client's types and etcd's messages. */
final class Conversions {
    private Conversions() {}

    static ByteString toWire(Bytes bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes.array());
    }

    static Bytes bytes(ByteString bytes) {
        return Bytes.wrap(bytes.toByteArray());
    }

    static KeyValue keyValue(Rpc.KeyValue wire) {
        return new KeyValue(
                bytes(wire.getKey()),
                bytes(wire.getValue()),
                wire.getCreateRevision(),
                wire.getModRevision(),
                wire.getVersion(),
                wire.getLease());
    }

    static KeyChange change(Rpc.Event wire) {
        KeyValue previous = wire.hasPrevKv() ? keyValue(wire.getPrevKv()) : null;
        if (wire.getType() == Rpc.Event.EventType.DELETE) {
            return new KeyChange.Delete(
                    bytes(wire.getKv().getKey()), wire.getKv().getModRevision(), previous);
        }
        return new KeyChange.Put(keyValue(wire.getKv()), previous);
    }

    static Rpc.RangeRequest toWire(RangeRequest request) {
        return Rpc.RangeRequest.newBuilder()
                .setKey(toWire(request.key()))
                .setRangeEnd(toWire(request.endKeyExclusive()))
                .setRevision(request.revision())
                .setLimit(request.limit())
                .setCountOnly(request.countOnly())
                .setKeysOnly(request.keysOnly())
                .setSerializable(request.serializable())
                .build();
    }

    static RangePage page(Rpc.RangeResponse wire) {
        return new RangePage(
                wire.getKvsList().stream().map(Conversions::keyValue).toList(),
                wire.getMore(),
                wire.getCount(),
                wire.getHeader().getRevision(),
                wire.getHeader().getClusterId());
    }

    static Rpc.TxnRequest toWire(Txn txn) {
        Rpc.TxnRequest.Builder builder = Rpc.TxnRequest.newBuilder();
        txn.conditions().forEach(condition -> builder.addCompare(toWire(condition)));
        txn.then().forEach(op -> builder.addSuccess(toWire(op)));
        txn.otherwise().forEach(op -> builder.addFailure(toWire(op)));
        return builder.build();
    }

    private static Rpc.Compare toWire(Compare compare) {
        Rpc.Compare.Builder builder =
                Rpc.Compare.newBuilder()
                        .setKey(toWire(compare.key()))
                        .setResult(Rpc.Compare.CompareResult.EQUAL);
        return switch (compare) {
            case Compare.ModRevisionIs(_, long modRevision) ->
                    builder.setTarget(Rpc.Compare.CompareTarget.MOD)
                            .setModRevision(modRevision)
                            .build();
            case Compare.ValueIs(_, Bytes value) ->
                    builder.setTarget(Rpc.Compare.CompareTarget.VALUE)
                            .setValue(toWire(value))
                            .build();
        };
    }

    private static Rpc.RequestOp toWire(Op op) {
        return switch (op) {
            case Op.Put put ->
                    Rpc.RequestOp.newBuilder()
                            .setRequestPut(putRequest(put.key(), put.value(), put.lease()))
                            .build();
            case Op.Delete(Bytes key) ->
                    Rpc.RequestOp.newBuilder()
                            .setRequestDeleteRange(
                                    Rpc.DeleteRangeRequest.newBuilder().setKey(toWire(key)))
                            .build();
        };
    }

    static Rpc.PutRequest putRequest(Bytes key, Bytes value, long lease) {
        return Rpc.PutRequest.newBuilder()
                .setKey(toWire(key))
                .setValue(toWire(value))
                .setLease(lease)
                .build();
    }

    static MemberStatus status(URI endpoint, Rpc.StatusResponse wire) {
        return new MemberStatus(
                endpoint,
                wire.getHeader().getClusterId(),
                wire.getHeader().getMemberId(),
                wire.getHeader().getRevision(),
                wire.getVersion(),
                wire.getLeader(),
                wire.getIsLearner(),
                wire.getDbSize(),
                wire.getDbSizeInUse(),
                wire.getDbSizeQuota() > 0 ? Optional.of(wire.getDbSizeQuota()) : Optional.empty(),
                List.copyOf(wire.getErrorsList()));
    }
}
