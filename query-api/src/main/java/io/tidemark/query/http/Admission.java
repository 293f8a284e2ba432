package io.tidemark.query.http;

import io.tidemark.authorization.RequestAttributes;
import io.tidemark.query.access.Permit;
import io.tidemark.query.http.access.AccessControl;
import io.tidemark.query.http.access.AccessRequest;
import io.tidemark.query.http.access.PresentedRequest;
import io.tidemark.query.http.changes.ChangesEndpoint;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.health.HealthEndpoint;
import io.tidemark.query.http.health.StartupGate;
import io.tidemark.serving.status.StatusException;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets a request in, or refuses it: before anything of it depends on data, so that a refusal tells
 * nothing about data.
 */
final class Admission {
    private static final int UNAUTHORIZED = 401;
    private static final int UNAVAILABLE = 503;

    private final AccessControl access;
    private final RequestInfo info;
    private final KeyRights keys;
    private final StartupGate startupGate;
    private final Turns turns;
    private final ConsoleEndpoint console;

    Admission(
            AccessControl access,
            RequestInfo info,
            KeyRights keys,
            StartupGate startupGate,
            Turns turns,
            ConsoleEndpoint console) {
        this.turns = turns;
        this.console = console;
        this.access = access;
        this.info = info;
        this.keys = keys;
        this.startupGate = startupGate;
    }

    /**
     * Gives the exchange its permit.
     *
     * @return false for a request without a right to its path whose result everyone may know
     * @throws StatusException 401, 403, 429 without a turn, 503 if it cannot be judged, 400 for
     *     impersonation without a user
     */
    boolean admit(Exchange exchange, ApiPath path) throws InterruptedException {
        RequestAttributes asked =
                info.of(exchange.method(), exchange.rawPath(), path, exchange.parameters());
        exchange.audit().asks(asked);
        if (path instanceof ApiPath.Console(String file) && console.serves(exchange, file)) {
            // The same files for everyone; what they ask for is judged.
            exchange.audit().authenticated(AccessControl.ANONYMOUS);
            exchange.audit().received(AccessControl.ANONYMOUS);
            return true;
        }
        if (access.isOpen()) {
            exchange.audit().authenticated(AccessControl.ANONYMOUS);
            if (exchange.audit().isOn()) {
                exchange.audit().reads(resources(exchange, path));
            }
            exchange.audit().received(AccessControl.ANONYMOUS);
            turns.await(exchange, path, asked, AccessControl.ANONYMOUS);
            exchange.allow(Permit.EVERYTHING);
            return true;
        }
        List<RequestAttributes> resources = resources(exchange, path);
        exchange.audit().reads(resources);
        AccessRequest request =
                PresentedRequest.of(
                        exchange,
                        demands(path, asked, resources),
                        caller -> turns.await(exchange, path, asked, caller));
        try {
            exchange.allow(judge(request, path));
            return true;
        } catch (StatusException e) {
            if (path instanceof ApiPath.Health(_, String part)
                    && HealthEndpoint.asksForResultOnly(part, exchange.parameters())
                    && isHarmless(e, request)) {
                return false;
            }
            throw e;
        }
    }

    /** While the node starts, its rules are read, and requests wait as they do for data. */
    private Permit judge(AccessRequest request, ApiPath path) throws InterruptedException {
        try {
            return access.admit(request);
        } catch (StatusException e) {
            if (e.status().code() != UNAVAILABLE
                    || startupGate.hasStarted()
                    || path instanceof ApiPath.Health) {
                throw e;
            }
            startupGate.await();
            return access.admit(request);
        }
    }

    /** Wrong credentials and impersonation are never ignored. */
    private boolean isHarmless(StatusException refused, AccessRequest request)
            throws InterruptedException {
        return request.impersonation().isEmpty()
                && (refused.status().code() != UNAUTHORIZED
                        || !access.isIdentified(request.credentials()));
    }

    /** What the caller must be allowed: changes need no right to their path. */
    private static List<RequestAttributes> demands(
            ApiPath path, RequestAttributes asked, List<RequestAttributes> resources) {
        if (path instanceof ApiPath.Changes) {
            return resources;
        }
        List<RequestAttributes> demands = new ArrayList<>(List.of(asked));
        demands.addAll(resources);
        return demands;
    }

    /** The resources that the answer holds and the path does not name. */
    private List<RequestAttributes> resources(Exchange exchange, ApiPath path) {
        return switch (path) {
            case ApiPath.KeyValue keyValue -> keys.of(keyValue, exchange.parameters());
            case ApiPath.Changes _ -> ChangesEndpoint.query(exchange).demands();
            case ApiPath.Health _,
                    ApiPath.Metrics _,
                    ApiPath.Cluster _,
                    ApiPath.Console _,
                    ApiPath.DiscoveryPath _,
                    ApiPath.Objects _,
                    ApiPath.UnknownObjectsPath _,
                    ApiPath.Unknown _ ->
                    List.of();
        };
    }
}
