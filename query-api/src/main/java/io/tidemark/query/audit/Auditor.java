package io.tidemark.query.audit;

import java.time.InstantSource;
import java.util.function.Supplier;

/** Begins the audit of each request. */
public final class Auditor {
    private final Supplier<AuditPolicy> policy;
    private final AuditLog log;
    private final InstantSource clock;

    /**
     * @param policy asked for each request
     */
    public Auditor(Supplier<AuditPolicy> policy, AuditLog log, InstantSource clock) {
        this.policy = policy;
        this.log = log;
        this.clock = clock;
    }

    /** Begins; the caller of this must call {@link RequestAudit#complete} in every case. */
    public RequestAudit begin(AuditedRequest request) {
        return new RequestAudit(policy.get(), log, clock, request);
    }
}
