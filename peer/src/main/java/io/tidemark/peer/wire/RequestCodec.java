package io.tidemark.peer.wire;

import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionsRequest;

/** Encodes and decodes requests and their outcomes, as all versions have them. */
final class RequestCodec {
    private RequestCodec() {}

    static void write(ReadRequest<?> request, WireOutput out) {
        switch (request) {
            case GetRequest get -> {
                out.oneByte('g');
                out.bytes(get.key());
                out.int64(get.atRevision());
                write(get.projection(), out);
            }
            case ScanRequest scan -> {
                out.oneByte('s');
                out.bytes(scan.prefix());
                out.bytes(scan.fromKeyInclusive());
                out.int64(scan.atRevision());
                SelectionCodec.write(scan.selection(), out);
                out.int32(scan.maxObjects());
                out.int32(scan.maxBytes());
                write(scan.projection(), out);
            }
            case ChangesRequest changes -> {
                out.oneByte('c');
                out.bytes(changes.prefix());
                ObjectCodec.write(changes.after(), out);
                out.int64(changes.throughRevision());
                out.int32(changes.maxChanges());
                out.int32(changes.maxBytes());
                write(changes.projection(), out);
            }
            case VersionsRequest versions -> {
                out.oneByte('v');
                out.bytes(versions.key());
                out.int64(versions.afterRevision());
                out.int64(versions.throughRevision());
                out.int32(versions.maxVersions());
                out.int32(versions.maxBytes());
            }
            case RevisionAtRequest at -> {
                out.oneByte('t');
                out.int64(at.timeMillis());
            }
            case UnreadableRequest unreadable -> {
                out.oneByte('u');
                out.bytes(unreadable.prefix());
                out.int32(unreadable.max());
            }
        }
    }

    static ReadRequest<?> read(WireInput in) throws WireException {
        try {
            return readUnchecked(in);
        } catch (IllegalArgumentException e) {
            throw new WireException(String.valueOf(e.getMessage()));
        }
    }

    private static ReadRequest<?> readUnchecked(WireInput in) throws WireException {
        int kind = in.oneByte();
        return switch (kind) {
            case 'g' -> new GetRequest(in.wrapped(), in.int64(), projection(in));
            case 's' ->
                    new ScanRequest(
                            in.wrapped(),
                            in.wrapped(),
                            in.int64(),
                            SelectionCodec.read(in),
                            in.int32(),
                            in.int32(),
                            projection(in));
            case 'c' ->
                    new ChangesRequest(
                            in.wrapped(),
                            ObjectCodec.readPosition(in),
                            in.int64(),
                            in.int32(),
                            in.int32(),
                            projection(in));
            case 'v' ->
                    new VersionsRequest(
                            in.wrapped(), in.int64(), in.int64(), in.int32(), in.int32());
            case 't' -> new RevisionAtRequest(in.int64());
            case 'u' -> new UnreadableRequest(in.wrapped(), Math.max(1, in.int32()));
            default -> throw new WireException("unknown kind of request: " + kind);
        };
    }

    /** A form that a store may keep is an optional field, which the whole object answers too. */
    private static void write(Projection projection, WireOutput out) {
        out.oneByte(projection instanceof Projection.Metadata ? 'm' : 'w');
    }

    private static Projection projection(WireInput in) throws WireException {
        int code = in.oneByte();
        return switch (code) {
            case 'w' -> Projection.WHOLE;
            case 'm' -> Projection.METADATA;
            default -> throw new WireException("unknown projection: " + code);
        };
    }

    /** The request selects the codec of a served answer. */
    static <T> void writeOutcome(ReadRequest<T> request, ReadOutcome<T> outcome, WireOutput out) {
        switch (outcome) {
            case ReadOutcome.Served<T>(T value) -> {
                out.oneByte('=');
                AnswerCodec.of(request).write(value, out);
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

    static <T> ReadOutcome<T> readOutcome(ReadRequest<T> request, WireInput in)
            throws WireException {
        int kind = in.oneByte();
        return switch (kind) {
            case '=' -> new ReadOutcome.Served<>(AnswerCodec.of(request).read(in));
            case '<' -> new ReadOutcome.Expired<>(in.int64());
            case '>' -> new ReadOutcome.TooNew<>(in.int64());
            case '?' -> new ReadOutcome.ReplicaUnavailable<>(in.text());
            default -> throw new WireException("unknown outcome kind: " + kind);
        };
    }
}
