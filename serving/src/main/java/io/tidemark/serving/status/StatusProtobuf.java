package io.tidemark.serving.status;

import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.serving.status.StatusException.Cause;
import io.tidemark.serving.status.StatusException.FailureStatus;

/**
 * Writes a failure Status in Kubernetes' protobuf: the message {@code meta.v1.Status} in its
 * envelope. Empty strings are written, as the API server does. Field numbers are those of the
 * public {@code generated.proto} files.
 */
public final class StatusProtobuf {
    private static final int CAPACITY = 256;

    private StatusProtobuf() {}

    public static byte[] write(FailureStatus refusal) {
        ProtobufWriter out = new ProtobufWriter(CAPACITY);
        int envelope = Envelope.open("v1", "Status", out);
        status(refusal, out);
        Envelope.close(envelope, out);
        return out.toByteArray();
    }

    private static void status(FailureStatus refusal, ProtobufWriter out) {
        int metadata = out.open(1);
        out.text(1, "");
        out.text(2, "");
        out.text(3, refusal.continueToken());
        out.close(metadata);
        out.text(2, "Failure");
        out.text(3, refusal.message());
        out.text(4, refusal.reason());
        if (StatusWriter.hasDetails(refusal)) {
            int details = out.open(5);
            details(refusal, out);
            out.close(details);
        }
        out.number(6, refusal.code());
    }

    private static void details(FailureStatus refusal, ProtobufWriter out) {
        out.text(1, refusal.details().getOrDefault("name", ""));
        out.text(2, refusal.details().getOrDefault("group", ""));
        out.text(3, refusal.details().getOrDefault("kind", ""));
        for (Cause cause : refusal.causes()) {
            int message = out.open(4);
            out.text(1, cause.reason());
            out.text(2, cause.message());
            out.text(3, cause.field());
            out.close(message);
        }
        out.number(5, refusal.retryAfterSeconds());
        out.text(6, refusal.details().getOrDefault("uid", ""));
    }
}
