package io.tidemark.query.http.access;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.query.http.access.KnownNames.ServiceAccountName;
import io.tidemark.serving.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a caller may make a request as another caller, as the API server does since
 * constrained impersonation (KEP-5284): the modes that are limited to certain callers and verbs
 * come first, the old verb {@code impersonate} last. The first mode that allows it counts; if none
 * does, the error is that of the first.
 */
final class Impersonation {
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String AUTHENTICATED = "system:authenticated";
    private static final String UNAUTHENTICATED = "system:unauthenticated";
    private static final String MASTERS = "system:masters";
    private static final String NODE_NAME = "authentication.kubernetes.io/node-name";
    private static final String NODE_KEYS = "authentication.kubernetes.io/associated-node-keys";
    private static final String ALL = "*";
    private static final int MAX_EXTRA_KEY = 253;
    private static final Pattern EXTRA_KEY =
            Pattern.compile(
                    "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
                            + "/[a-z0-9/\\-._~%!$&'()*+,;=:]+");

    /** What may be impersonated, and by which verb. */
    private enum Mode {
        ASSOCIATED_NODE("associated-node"),
        ARBITRARY_NODE("arbitrary-node"),
        SERVICE_ACCOUNT("serviceaccount"),
        USER_INFO("user-info"),
        /** The only mode before constrained impersonation. */
        LEGACY("");

        private final String text;

        Mode(String text) {
            this.text = text;
        }

        boolean isConstrained() {
            return this != LEGACY;
        }

        String verb() {
            return isConstrained() ? "impersonate:" + text : "impersonate";
        }

        String verbOn(String verb) {
            return "impersonate-on:" + text + ":" + verb;
        }

        /** The group of users, groups, nodes and service accounts. */
        String apiGroup() {
            return isConstrained() ? AUTHENTICATION : "";
        }
    }

    private final AccessControl access;
    private final Caller requestor;
    private final WantedCaller wanted;
    private final List<RequestAttributes> demands;

    private Impersonation(
            AccessControl access,
            Caller requestor,
            WantedCaller wanted,
            List<RequestAttributes> demands) {
        this.access = access;
        this.requestor = requestor;
        this.wanted = wanted;
        this.demands = demands;
    }

    /**
     * The caller that a request is served as.
     *
     * @param past whether the request reads the past
     * @throws StatusException 400 for headers without a user, 403, or 503 if it cannot be decided
     */
    static Caller apply(AccessControl access, Caller requestor, AccessRequest request, boolean past)
            throws InterruptedException {
        Optional<WantedCaller> wanted = WantedCaller.of(request.impersonation());
        if (wanted.isEmpty()) {
            return requestor;
        }
        List<RequestAttributes> demands = new ArrayList<>(request.demands());
        if (past) {
            demands.addAll(RequestPermit.pastOf(request.demands()));
        }
        return new Impersonation(access, requestor, wanted.get(), demands).caller();
    }

    private Caller caller() throws InterruptedException {
        @Nullable StatusException first = null;
        for (Mode mode : Mode.values()) {
            if (applies(mode)) {
                try {
                    return in(mode);
                } catch (StatusException e) {
                    if (e.status().code() != 403) {
                        throw e;
                    }
                    first = first == null ? e : first;
                }
            }
        }
        throw first == null ? new IllegalStateException("no mode applies") : first;
    }

    private boolean applies(Mode mode) {
        Optional<String> node = KnownNames.node(wanted.name());
        Optional<ServiceAccountName> account = KnownNames.serviceAccount(wanted.name());
        return switch (mode) {
            case ASSOCIATED_NODE ->
                    node.isPresent()
                            && wanted.hasNameOnly()
                            && KnownNames.serviceAccount(requestor.name()).isPresent()
                            && requestor
                                    .extra()
                                    .getOrDefault(NODE_NAME, List.of())
                                    .equals(List.of(node.get()));
            case ARBITRARY_NODE -> node.isPresent() && wanted.hasNameOnly();
            case SERVICE_ACCOUNT -> account.isPresent() && wanted.hasNameOnly();
            case USER_INFO -> node.isEmpty() && account.isEmpty();
            case LEGACY -> true;
        };
    }

    private Caller in(Mode mode) throws InterruptedException {
        if (mode.isConstrained()) {
            for (RequestAttributes demand : demands) {
                require(mode, RequestPermit.withVerb(demand, mode.verbOn(demand.verb())));
            }
        }
        List<String> groups = new ArrayList<>(wanted.groups());
        requireName(mode, groups);
        if (!wanted.uid().isEmpty()) {
            require(mode, of(mode, AUTHENTICATION, "uids", "", "", wanted.uid()));
        }
        requireGroups(mode);
        requireExtra(mode);
        return new Caller(
                wanted.name(), wanted.uid(), withState(groups), Map.copyOf(wanted.extra()));
    }

    /** Adds the groups that a caller of that name has when none are named. */
    private void requireName(Mode mode, List<String> groups) throws InterruptedException {
        Optional<String> node = KnownNames.node(wanted.name());
        Optional<ServiceAccountName> account = KnownNames.serviceAccount(wanted.name());
        if (account.isPresent()) {
            ServiceAccountName found = account.get();
            if (groups.isEmpty()) {
                groups.add("system:serviceaccounts");
                groups.add("system:serviceaccounts:" + found.namespace());
            }
            require(
                    mode,
                    of(
                            mode,
                            mode.apiGroup(),
                            "serviceaccounts",
                            "",
                            found.namespace(),
                            found.name()));
        } else if (node.isPresent() && mode.isConstrained()) {
            groups.add("system:nodes");
            String name = mode == Mode.ASSOCIATED_NODE ? ALL : node.get();
            require(mode, of(mode, mode.apiGroup(), "nodes", "", "", name));
        } else {
            require(mode, of(mode, mode.apiGroup(), "users", "", "", wanted.name()));
        }
    }

    private void requireGroups(Mode mode) throws InterruptedException {
        if (mode.isConstrained()) {
            if (wanted.groups().contains("")) {
                throw AccessErrors.forbidden(
                        requestor,
                        of(mode, mode.apiGroup(), "groups", "", "", ""),
                        "impersonating the empty string group is not allowed");
            }
            if (wanted.groups().contains(MASTERS)) {
                throw AccessErrors.forbidden(
                        requestor,
                        of(mode, mode.apiGroup(), "groups", "", "", MASTERS),
                        "impersonating the system:masters group is not allowed");
            }
        }
        for (String group : wanted.groups()) {
            require(mode, of(mode, mode.apiGroup(), "groups", "", "", group));
        }
    }

    private void requireExtra(Mode mode) throws InterruptedException {
        for (Map.Entry<String, List<String>> each : wanted.extra().entrySet()) {
            String key = each.getKey();
            if (mode.isConstrained()
                    && (key.length() > MAX_EXTRA_KEY
                            || !EXTRA_KEY.matcher(key).matches()
                            || each.getValue().contains(""))) {
                throw AccessErrors.forbidden(
                        requestor,
                        of(mode, AUTHENTICATION, "userextras", "", "", ""),
                        "impersonating an invalid key or an empty value in extra is not allowed");
            }
            for (String value : each.getValue()) {
                require(mode, of(mode, AUTHENTICATION, "userextras", key, "", value));
            }
        }
    }

    private void require(Mode mode, RequestAttributes attributes) throws InterruptedException {
        Caller asked = mode == Mode.ASSOCIATED_NODE ? onAnyNode() : requestor;
        Decision decision = access.decide(asked, attributes);
        if (!decision.isAllowed()) {
            throw AccessErrors.forbidden(requestor, attributes, decision.reason());
        }
    }

    /** The requestor without what differs from node to node. */
    private Caller onAnyNode() {
        return new Caller(
                requestor.name(),
                requestor.uid(),
                requestor.groups(),
                Map.of(NODE_KEYS, requestor.extra().keySet().stream().sorted().toList()));
    }

    private static ResourceRequest of(
            Mode mode,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name) {
        return new ResourceRequest(
                mode.verb(), group, "v1", resource, subresource, namespace, name);
    }

    private List<String> withState(List<String> groups) {
        String state = wanted.name().equals("system:anonymous") ? UNAUTHENTICATED : AUTHENTICATED;
        if (!groups.contains(UNAUTHENTICATED) && !groups.contains(state)) {
            groups.add(state);
        }
        return groups;
    }
}
