package io.tidemark.serving.status;

import io.tidemark.serving.status.StatusException.Cause;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a failure Status in Kubernetes' protobuf: four magic bytes, then the message {@code
 * runtime.Unknown} around the message {@code meta.v1.Status}. Empty strings are written, as the API
 * server does. Field numbers are those of the public {@code generated.proto} files.
 */
public final class StatusProtobuf {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    private StatusProtobuf() {}

    public static byte[] write(FailureStatus refusal) {
        StatusProtobuf type = new StatusProtobuf();
        type.text(1, "v1");
        type.text(2, "Status");
        StatusProtobuf unknown = new StatusProtobuf();
        unknown.out.writeBytes(MAGIC);
        unknown.message(1, type);
        unknown.message(2, status(refusal));
        unknown.text(3, "");
        unknown.text(4, "");
        return unknown.out.toByteArray();
    }

    private static StatusProtobuf status(FailureStatus refusal) {
        StatusProtobuf metadata = new StatusProtobuf();
        metadata.text(1, "");
        metadata.text(2, "");
        metadata.text(3, refusal.continueToken());
        StatusProtobuf status = new StatusProtobuf();
        status.message(1, metadata);
        status.text(2, "Failure");
        status.text(3, refusal.message());
        status.text(4, refusal.reason());
        if (StatusWriter.hasDetails(refusal)) {
            status.message(5, details(refusal));
        }
        status.number(6, refusal.code());
        return status;
    }

    private static StatusProtobuf details(FailureStatus refusal) {
        StatusProtobuf details = new StatusProtobuf();
        details.text(1, refusal.details().getOrDefault("name", ""));
        details.text(2, refusal.details().getOrDefault("group", ""));
        details.text(3, refusal.details().getOrDefault("kind", ""));
        for (Cause cause : refusal.causes()) {
            StatusProtobuf message = new StatusProtobuf();
            message.text(1, cause.reason());
            message.text(2, cause.message());
            message.text(3, cause.field());
            details.message(4, message);
        }
        details.number(5, refusal.retryAfterSeconds());
        details.text(6, refusal.details().getOrDefault("uid", ""));
        return details;
    }

    private void text(int field, String value) {
        bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private void message(int field, StatusProtobuf value) {
        bytes(field, value.out.toByteArray());
    }

    private void bytes(int field, byte[] value) {
        varint(field << 3 | BYTES);
        varint(value.length);
        out.writeBytes(value);
    }

    private void number(int field, int value) {
        varint(field << 3 | VARINT);
        varint(value);
    }

    /** Writes a number that is not below 0. */
    private void varint(int value) {
        int rest = value;
        while (rest > 0x7f) {
            out.write(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }
}
