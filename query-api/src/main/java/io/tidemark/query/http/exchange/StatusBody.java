package io.tidemark.query.http.exchange;

import io.tidemark.http.ErrorBody;
import io.tidemark.http.RefusedRequest;
import io.tidemark.query.audit.AuditedRequest;
import io.tidemark.query.audit.Auditor;
import io.tidemark.query.audit.RequestAudit;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.status.StatusWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Renders the HTTP server's own errors as Kubernetes Statuses, and records these requests. */
public final class StatusBody implements ErrorBody {
    private final Optional<Auditor> auditor;

    public StatusBody(Optional<Auditor> auditor) {
        this.auditor = auditor;
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] write(int code, String reason, String message) {
        return StatusWriter.write(new FailureStatus(code, reason, message));
    }

    @Override
    public void refused(RefusedRequest request, String message) {
        if (auditor.isEmpty()) {
            return;
        }
        RequestAudit audit =
                auditor.get()
                        .begin(
                                new AuditedRequest(
                                        request.uri(),
                                        List.of(request.client()),
                                        request.userAgent(),
                                        Instant.now()));
        audit.asksForPath(request.method(), request.uri().split("\\?", 2)[0]);
        audit.complete(request.code(), message);
    }
}
