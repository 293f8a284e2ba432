package io.tidemark.query.audit;

/** When an event is recorded during a request, by the names of {@code audit.k8s.io/v1}. */
public enum AuditStage {
    /** The caller is known; nothing has been decided yet. */
    REQUEST_RECEIVED("RequestReceived"),
    /** A response that lasts, such as a watch, has begun. */
    RESPONSE_STARTED("ResponseStarted"),
    /** The response is over; exactly one such event for each request. */
    RESPONSE_COMPLETE("ResponseComplete"),
    /** The server failed; the event of {@link #RESPONSE_COMPLETE} follows. */
    PANIC("Panic");

    private final String text;

    AuditStage(String text) {
        this.text = text;
    }

    /** As in events and policies. */
    public String text() {
        return text;
    }
}
