package io.tidemark.query.audit;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The audit of one request. What is known of it is added while it is served; {@link #complete} is
 * recorded at its first call only. Its other methods are for the request's thread.
 */
public final class RequestAudit {
    /** The caller of a request that failed to authenticate, for the policy. */
    private static final Caller UNKNOWN_CALLER = new Caller("", List.of());

    private static final RequestAttributes UNKNOWN = new NonResourceRequest("", "");

    /** Of requests that are not audited. */
    public static final RequestAudit NONE =
            new RequestAudit(
                    new AuditPolicy(List.of(), Set.of()),
                    null,
                    InstantSource.system(),
                    new AuditedRequest("", List.of(), "", Instant.EPOCH));

    private final AuditPolicy policy;
    private final @Nullable AuditLog log;
    private final InstantSource clock;
    private final AuditedRequest request;
    private final UUID id = UUID.randomUUID();
    private final Map<String, String> annotations = new TreeMap<>();
    private final AtomicBoolean received = new AtomicBoolean();
    private final AtomicBoolean complete = new AtomicBoolean();
    private volatile RequestAttributes attributes = UNKNOWN;
    private volatile List<RequestAttributes> resources = List.of();
    private volatile @Nullable Caller caller;
    private volatile @Nullable Caller impersonated;
    private volatile @Nullable Set<AuditStage> stages;

    RequestAudit(
            AuditPolicy policy,
            @Nullable AuditLog log,
            InstantSource clock,
            AuditedRequest request) {
        this.policy = policy;
        this.log = log;
        this.clock = clock;
        this.request = request;
    }

    /** For the response's header {@code Audit-Id}. */
    public String id() {
        return id.toString();
    }

    /** Whether anything may be recorded: otherwise nothing needs to be found out for it. */
    public boolean isOn() {
        return log != null;
    }

    /** What is asked for; before the caller is known. */
    public void asks(RequestAttributes asked) {
        attributes = asked;
    }

    /** Resources that the answer holds and the path does not name; before the caller is known. */
    public void reads(List<RequestAttributes> unnamed) {
        resources = List.copyOf(unnamed);
    }

    /**
     * As far as the request is known before it is parsed.
     *
     * @param method empty if it cannot be read
     */
    public void asksForPath(String method, String path) {
        asks(new NonResourceRequest(method.toLowerCase(Locale.ROOT), path));
    }

    /** Who made the request is known; at first, before {@link #received}. */
    public void authenticated(Caller by) {
        caller = by;
    }

    /**
     * Everything about the caller is known. Only the first call counts.
     *
     * @param effective for whom the request was made: another one if the caller impersonates them
     */
    public void received(Caller effective) {
        if (received.compareAndSet(false, true)) {
            impersonated = effective.equals(caller) ? null : effective;
            record(AuditStage.REQUEST_RECEIVED, 0, "");
        }
    }

    /**
     * The request was decided.
     *
     * @param allowed otherwise it was refused
     * @param reason may be empty
     */
    public synchronized void decided(boolean allowed, Supplier<String> reason) {
        if (isOn()) {
            annotations.put("authorization.k8s.io/decision", allowed ? "allow" : "forbid");
            annotations.put("authorization.k8s.io/reason", reason.get());
        }
    }

    /** A response that lasts has begun. */
    public void started(int status) {
        record(AuditStage.RESPONSE_STARTED, status, "");
    }

    /** The server failed. */
    public void panic() {
        record(AuditStage.PANIC, 500, "");
    }

    /**
     * The response is over. For any thread; only the first call counts.
     *
     * @param message of a failure; empty otherwise
     */
    public void complete(int status, String message) {
        if (isOn() && complete.compareAndSet(false, true)) {
            record(AuditStage.RESPONSE_COMPLETE, status, message);
        }
    }

    private synchronized void record(AuditStage stage, int status, String message) {
        AuditLog lines = log;
        if (lines != null && stages().contains(stage)) {
            lines.write(
                    new AuditEvent(
                                    id,
                                    stage,
                                    request,
                                    attributes,
                                    Optional.ofNullable(caller),
                                    Optional.ofNullable(impersonated),
                                    status,
                                    message,
                                    clock.instant(),
                                    annotations)
                            .line());
        }
    }

    /** The policy decides once, for the caller as authenticated. */
    private Set<AuditStage> stages() {
        Set<AuditStage> decided = stages;
        if (decided == null) {
            Caller known = caller;
            List<RequestAttributes> demands = new ArrayList<>(resources);
            demands.add(attributes);
            decided = policy.stages(known == null ? UNKNOWN_CALLER : known, demands);
            stages = decided;
        }
        return decided;
    }
}
