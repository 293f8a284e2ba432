package io.tidemark.fuzz;

import io.tidemark.fuzz.FuzzRequest.Form;
import java.util.HashSet;
import java.util.Set;

/**
 * Generates a request from a seed and sends it as one of the tenants, with an unknown token, or
 * without credentials. What it may show is the tenant's own only. Continue tokens are of any
 * tenant.
 */
final class IdentityGrammar {
    private final RequestGrammar requests;
    private final ContinueTokens tokens;

    IdentityGrammar(RequestGrammar requests, ContinueTokens tokens) {
        this.requests = requests;
        this.tokens = tokens;
    }

    /** The user, and the token, of a tenant; no beginning of it is another's. */
    static String user(String tenant) {
        return "u." + tenant + ".u";
    }

    FuzzRequest make(long seed) {
        SeededRandom choice = new SeededRandom(~seed);
        FuzzRequest request = choice.oneIn(6) ? door(seed, choice) : requests.make(seed);
        Set<String> mayShow = new HashSet<>();
        String credentials = "";
        if (!choice.oneIn(20)) {
            String tenant = tenant(request, choice);
            boolean known = !choice.oneIn(20);
            credentials = "Authorization: Bearer " + (known ? user(tenant) : tenant) + "\r\n";
            String other = PathGrammar.tenant(choice);
            if (choice.oneIn(15)) {
                credentials += "Impersonate-User: " + user(other) + "\r\n";
                tenant = mayImpersonate(tenant, other) ? other : "";
            }
            if (known) {
                mayShow.add(tenant);
            }
        }
        mayShow.retainAll(request.mayShow());
        String wire =
                request.wire()
                        .replace(" HTTP/1.1\r\n", " HTTP/1.1\r\n" + credentials)
                        .replace(" HTTP/1.0\r\n", " HTTP/1.0\r\n" + credentials);
        return new FuzzRequest(
                seed,
                exchanged(wire, choice),
                request.form(),
                request.answers(),
                request.head(),
                mayShow,
                request.endless());
    }

    /** Half of the requests are the owner's, so that they show objects. */
    private static String tenant(FuzzRequest request, SeededRandom choice) {
        return request.mayShow().size() == 1 && choice.oneIn(2)
                ? request.mayShow().iterator().next()
                : PathGrammar.tenant(choice);
    }

    /** One tenant may act as another. */
    static boolean mayImpersonate(String tenant, String other) {
        return tenant.equals("alpha") && other.equals("al");
    }

    private static String changes(SeededRandom choice) {
        return "/changes?class=all&namespace="
                + PathGrammar.tenant(choice)
                + choice.of(
                        "",
                        "&resource=pods",
                        "&resource=pods,configmaps",
                        "&resource=pods&name=pod-1",
                        "&limit=1&continue=T")
                + choice.of("", "&compare=true&limit=" + (1 + choice.below(3)))
                + choice.of("", "&output=text", "&output=grafana", "&from=" + choice.below(130));
    }

    /** Doors that other grammars rarely take, in a form that the node accepts. */
    private FuzzRequest door(long seed, SeededRandom choice) {
        String pods = "/api/v1/namespaces/" + PathGrammar.tenant(choice) + "/pods";
        String target =
                switch (choice.below(16)) {
                    case 0 -> "/cluster";
                    case 1 -> "/metrics";
                    case 2 -> choice.of("/readyz", "/livez") + "?verbose";
                    case 3 -> "/api/v1/pods?limit=1&continue=T";
                    case 4 -> "/kv/registry/pods/" + PathGrammar.tenant(choice) + "/?limit=1";
                    case 5 -> "/api/v1/namespaces/" + PathGrammar.tenant(choice);
                    case 6 ->
                            pods
                                    + "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
                                    + "&resourceVersionMatch=NotOlderThan";
                    case 7 -> pods + "/pod-1?history=true";
                    case 8 -> pods + "?watch=1&resourceVersion=" + (100 + choice.below(30));
                    case 9 ->
                            pods
                                    + "?resourceVersionMatch=Exact&resourceVersion="
                                    + (100 + choice.below(30));
                    case 10 -> changes(choice);
                    case 11 -> changes(choice) + "&watch=1&timeoutSeconds=1";
                    case 12 -> "/at/" + (100 + choice.below(30)) + pods;
                    case 13 ->
                            choice.of("/at/", "/replay/")
                                    + (100 + choice.below(30))
                                    + choice.of(
                                            "/changes",
                                            "/api/v1/pods",
                                            "/kv/registry/pods/" + PathGrammar.tenant(choice) + "/",
                                            "/apis");
                    case 14 ->
                            "/replay/"
                                    + (100 + choice.below(30))
                                    + "@10000"
                                    + pods
                                    + "?watch=1&timeoutSeconds=1";
                    default -> pods + "?limit=" + (1 + choice.below(2)) + "&continue=T";
                };
        if (choice.oneIn(3)) {
            target = target.replace("&continue=T", "");
        }
        boolean watch = target.contains("watch");
        String upgrade =
                watch && choice.oneIn(2)
                        ? "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13"
                                + "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        : "";
        String accept =
                choice.of(
                        "*/*",
                        "application/yaml",
                        "application/json;as=Table;v=v1;g=meta.k8s.io",
                        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
        String wire =
                "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n%s\r\n"
                        .formatted(target, accept, upgrade);
        return new FuzzRequest(seed, wire, Form.WHOLE, 1, false, mayShow(target), watch);
    }

    /** The tenant of the path's namespace; all for other paths. */
    private static Set<String> mayShow(String target) {
        return Tenants.NAMES.stream()
                .filter(tenant -> target.matches(".*/" + tenant + "([/?].*)?"))
                .findFirst()
                .map(Set::of)
                .orElse(Set.copyOf(Tenants.NAMES));
    }

    private String exchanged(String wire, SeededRandom choice) {
        return wire.replace("continue=T ", "continue=" + tokens.any(choice) + " ");
    }
}
