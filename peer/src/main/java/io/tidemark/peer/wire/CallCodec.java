package io.tidemark.peer.wire;

import io.tidemark.view.ChangesRequest;
import io.tidemark.view.Projection;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.VersionsRequest;

/** Encodes and decodes calls and their outcomes. */
public final class CallCodec {
    private CallCodec() {}

    public static byte[] write(ViewCall<?> call) {
        WireOutput out = new WireOutput();
        switch (call) {
            case ViewCall.Get get -> {
                out.oneByte('g');
                out.bytes(get.key());
                out.int64(get.atRevision());
                write(get.projection(), out);
            }
            case ViewCall.Scan(ScanRequest request) -> {
                out.oneByte('s');
                out.bytes(request.prefix());
                out.bytes(request.fromKeyInclusive());
                out.int64(request.atRevision());
                SelectionCodec.write(request.selection(), out);
                out.int32(request.maxObjects());
                out.int32(request.maxBytes());
                write(request.projection(), out);
            }
            case ViewCall.Changes(ChangesRequest request) -> {
                out.oneByte('c');
                out.bytes(request.prefix());
                ObjectCodec.write(request.after(), out);
                out.int64(request.throughRevision());
                out.int32(request.maxChanges());
                out.int32(request.maxBytes());
                write(request.projection(), out);
            }
            case ViewCall.Versions(VersionsRequest request) -> {
                out.oneByte('v');
                out.bytes(request.key());
                out.int64(request.afterRevision());
                out.int64(request.throughRevision());
                out.int32(request.maxVersions());
                out.int32(request.maxBytes());
            }
            case ViewCall.RevisionAt at -> {
                out.oneByte('t');
                out.int64(at.timeMillis());
            }
            case ViewCall.Unreadable unreadable -> {
                out.oneByte('u');
                out.bytes(unreadable.prefix());
                out.int32(unreadable.max());
            }
        }
        return out.toByteArray();
    }

    public static ViewCall<?> read(byte[] bytes) throws WireException {
        WireInput in = new WireInput(bytes);
        ViewCall<?> call;
        try {
            call = read(in);
        } catch (IllegalArgumentException e) {
            throw new WireException(String.valueOf(e.getMessage()));
        }
        in.end();
        return call;
    }

    private static ViewCall<?> read(WireInput in) throws WireException {
        int kind = in.oneByte();
        return switch (kind) {
            case 'g' -> new ViewCall.Get(in.wrapped(), in.int64(), projection(in));
            case 's' ->
                    new ViewCall.Scan(
                            new ScanRequest(
                                    in.wrapped(),
                                    in.wrapped(),
                                    in.int64(),
                                    SelectionCodec.read(in),
                                    in.int32(),
                                    in.int32(),
                                    projection(in)));
            case 'c' ->
                    new ViewCall.Changes(
                            new ChangesRequest(
                                    in.wrapped(),
                                    ObjectCodec.readPosition(in),
                                    in.int64(),
                                    in.int32(),
                                    in.int32(),
                                    projection(in)));
            case 'v' ->
                    new ViewCall.Versions(
                            new VersionsRequest(
                                    in.wrapped(), in.int64(), in.int64(), in.int32(), in.int32()));
            case 't' -> new ViewCall.RevisionAt(in.int64());
            case 'u' -> new ViewCall.Unreadable(in.wrapped(), Math.max(1, in.int32()));
            default -> throw new WireException("unknown call kind: " + kind);
        };
    }

    private static void write(Projection projection, WireOutput out) {
        out.oneByte(
                switch (projection) {
                    case WHOLE -> 'w';
                    case METADATA -> 'm';
                });
    }

    private static Projection projection(WireInput in) throws WireException {
        int code = in.oneByte();
        return switch (code) {
            case 'w' -> Projection.WHOLE;
            case 'm' -> Projection.METADATA;
            default -> throw new WireException("unknown projection: " + code);
        };
    }

    /** The call selects the codec of a served answer. */
    public static <T> void writeOutcome(ViewCall<T> call, ReadOutcome<T> outcome, WireOutput out) {
        switch (outcome) {
            case ReadOutcome.Served<T>(T value) -> {
                out.oneByte('=');
                call.answer().write(value, out);
            }
            case ReadOutcome.Expired<T>(long floor) -> {
                out.oneByte('<');
                out.int64(floor);
            }
            case ReadOutcome.TooNew<T>(long watermark) -> {
                out.oneByte('>');
                out.int64(watermark);
            }
            case ReadOutcome.ReplicaUnavailable<T>(String why) -> {
                out.oneByte('?');
                out.text(why);
            }
        }
    }

    public static <T> ReadOutcome<T> readOutcome(ViewCall<T> call, WireInput in)
            throws WireException {
        int kind = in.oneByte();
        return switch (kind) {
            case '=' -> new ReadOutcome.Served<>(call.answer().read(in));
            case '<' -> new ReadOutcome.Expired<>(in.int64());
            case '>' -> new ReadOutcome.TooNew<>(in.int64());
            case '?' -> new ReadOutcome.ReplicaUnavailable<>(in.text());
            default -> throw new WireException("unknown outcome kind: " + kind);
        };
    }
}
