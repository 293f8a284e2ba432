package io.tidemark.query.http.access;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RbacRules;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.query.access.Permit;
import io.tidemark.query.http.access.AccessControl.Identity;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.status.StatusException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The right of one request, under the credentials and rules that it was last judged by.
 * Thread-safe: judgements at once do no harm, since each uses what is known when it begins.
 */
public final class RequestPermit implements Permit {
    private static final String PAST = "history";

    /** Resources whose past needs a right however recent it is; a star covers Secrets. */
    private static final Set<String> SECRET = Set.of("secrets", "*");

    private final AccessControl access;
    private final AccessRequest request;
    private volatile boolean past;
    private volatile @Nullable Judgement judged;

    /**
     * @param identity who made the request
     * @param caller who it is served as
     * @param credentialsVersion of the authenticator before it was asked
     * @param rulesVersion of the authorizer before it was asked
     */
    private record Judgement(
            Identity identity, Caller caller, long credentialsVersion, long rulesVersion) {}

    RequestPermit(AccessControl access, AccessRequest request) {
        this.access = access;
        this.request = request;
    }

    /** Who the request is served as: the impersonated caller, if there is one. */
    public Caller caller() {
        return judgement().caller();
    }

    @Override
    public boolean covers(long epoch, long revision) {
        return isMaster() || access.authorizer().standing().covers(epoch, revision);
    }

    @Override
    public boolean isCurrent() {
        Judgement last = judgement();
        return last.credentialsVersion() == access.authenticatorVersion()
                && last.rulesVersion() == access.authorizer().standing().version()
                && !access.isOver(last.identity().until());
    }

    @Override
    public void require() throws InterruptedException {
        if (!isCurrent()) {
            judge();
        }
    }

    @Override
    public void requirePast(boolean recent) throws InterruptedException {
        if (!past && (!recent || request.demands().stream().anyMatch(RequestPermit::isSecret))) {
            past = true;
            judge();
        }
    }

    @Override
    public boolean allowsUnselected(KeyScope scope) throws InterruptedException {
        for (RequestAttributes demand : request.demands()) {
            RequestAttributes whole = withoutSelectors(demand, scope);
            if (!whole.equals(demand) && !isAllowed(whole)) {
                return false;
            }
        }
        return true;
    }

    private boolean isAllowed(RequestAttributes demand) throws InterruptedException {
        try {
            return access.decide(caller(), demand).isAllowed();
        } catch (StatusException _) {
            return false;
        }
    }

    /** In the scope of one key the name is no mere selector: there is nothing else. */
    private static RequestAttributes withoutSelectors(RequestAttributes demand, KeyScope scope) {
        return switch (demand) {
            case ResourceRequest of ->
                    new ResourceRequest(
                            of.verb(),
                            of.apiGroup(),
                            of.version(),
                            of.resource(),
                            of.subresource(),
                            of.namespace(),
                            scope.kind() == KeyScope.Kind.EXACT ? of.name() : "");
            case NonResourceRequest of -> of;
        };
    }

    @Override
    public Instant until() {
        return judgement().identity().until();
    }

    @Override
    public Runnable onceCovered(long epoch, long revision, Runnable task) {
        if (isMaster()) {
            task.run();
            return () -> {};
        }
        return access.authorizer().onceCovered(epoch, revision, task);
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return access.onChange(listener);
    }

    void judge() throws InterruptedException {
        long credentialsVersion = access.authenticatorVersion();
        long rulesVersion = access.authorizer().standing().version();
        AccessControl asked = judged == null || isCurrent() ? access : access.again();
        Identity identity = identify(credentialsVersion);
        request.audit().authenticated(identity.caller());
        Caller caller =
                request.impersonation().isEmpty()
                        ? identity.caller()
                        : Impersonation.apply(asked, identity.caller(), request, past);
        request.audit().received(caller);
        if (judged == null) {
            request.arrival().of(caller);
        }
        List<RequestAttributes> demands = request.demands();
        try {
            Decision decision = asked.require(caller, demands.getFirst());
            for (RequestAttributes demand : demands.subList(1, demands.size())) {
                asked.require(caller, demand);
            }
            if (past) {
                for (RequestAttributes demand : pastOf(demands)) {
                    asked.require(caller, demand);
                }
            }
            request.audit().decided(true, decision::reason);
        } catch (StatusException e) {
            request.audit().decided(false, () -> String.valueOf(e.getMessage()));
            throw e;
        }
        judged = new Judgement(identity, caller, credentialsVersion, rulesVersion);
    }

    /**
     * While credentials have not changed, the caller is still known: a change of rules must not
     * make thousands of watches verify their tokens.
     */
    private Identity identify(long credentialsVersion) throws InterruptedException {
        Judgement last = judged;
        return last != null
                        && last.credentialsVersion() == credentialsVersion
                        && !access.isOver(last.identity().until())
                ? last.identity()
                : access.identify(request.credentials());
    }

    /** The demands of a request that reads the past, besides its own. */
    static List<RequestAttributes> pastOf(List<RequestAttributes> demands) {
        return demands.stream().map(demand -> withVerb(demand, PAST)).toList();
    }

    static RequestAttributes withVerb(RequestAttributes request, String verb) {
        return switch (request) {
            case ResourceRequest of ->
                    new ResourceRequest(
                            verb,
                            of.apiGroup(),
                            of.version(),
                            of.resource(),
                            of.subresource(),
                            of.namespace(),
                            of.name(),
                            of.fields(),
                            of.labels());
            case NonResourceRequest of -> new NonResourceRequest(verb, of.path());
        };
    }

    /** Masters pass before all rules. The right to impersonate one comes from rules. */
    private boolean isMaster() {
        return AccessControl.MASTERS_PASS
                && request.impersonation().isEmpty()
                && caller().groups().contains(RbacRules.MASTERS);
    }

    private static boolean isSecret(RequestAttributes request) {
        return request instanceof ResourceRequest of && SECRET.contains(of.resource());
    }

    private Judgement judgement() {
        return Objects.requireNonNull(judged, "not judged yet");
    }
}
