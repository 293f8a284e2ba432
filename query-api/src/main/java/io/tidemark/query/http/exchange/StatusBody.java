package io.tidemark.query.http.exchange;

import io.tidemark.http.ErrorBody;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.status.StatusWriter;

/** Renders the HTTP server's own errors as Kubernetes Statuses. */
public final class StatusBody implements ErrorBody {
    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] write(int code, String reason, String message) {
        return StatusWriter.write(new FailureStatus(code, reason, message));
    }
}
