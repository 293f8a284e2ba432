package io.tidemark.authentication.jwt;

import io.tidemark.authentication.Authentication;
import io.tidemark.authorization.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a ServiceAccount's token says, in its claim {@code kubernetes.io}. It counts only while the
 * account exists with the same uid, and so does the object that it is bound to.
 *
 * @param pod that the token is bound to
 * @param node on which the pod runs; without a pod, the node that the token is bound to
 * @param tokenId empty for none
 */
record ServiceAccountClaims(
        String namespace,
        Ref account,
        Optional<Ref> pod,
        Optional<Ref> node,
        boolean boundToSecret,
        String tokenId) {
    /** Clocks differ: what was deleted more recently still counts, as upstream. */
    static final Duration LEEWAY = Duration.ofMinutes(1);

    private static final String EXTRA = "authentication.kubernetes.io/";

    /** An object by its name, and which one of this name. */
    record Ref(String name, String uid) {}

    static ServiceAccountClaims of(Claims claims) throws WrongClaimsException {
        Claims own = claims.nested("kubernetes.io");
        if (own == null) {
            throw new WrongClaimsException("the claim 'kubernetes.io' is missing");
        }
        return new ServiceAccountClaims(
                nonEmpty(own, "namespace"),
                ref(own, "serviceaccount")
                        .orElseThrow(() -> new WrongClaimsException("it names no ServiceAccount")),
                ref(own, "pod"),
                ref(own, "node"),
                own.has("secret"),
                claims.text("jti").orElse(""));
    }

    private static Optional<Ref> ref(Claims claims, String name) throws WrongClaimsException {
        Claims found = claims.nested(name);
        return found == null
                ? Optional.empty()
                : Optional.of(new Ref(nonEmpty(found, "name"), nonEmpty(found, "uid")));
    }

    private static String nonEmpty(Claims claims, String name) throws WrongClaimsException {
        String value = claims.required(name);
        if (value.isEmpty()) {
            throw new WrongClaimsException("the claim '%s' is empty".formatted(name));
        }
        return value;
    }

    /**
     * Known while all objects exist.
     *
     * @param until when the token expires
     */
    Authentication authenticate(ServiceAccounts accounts, Instant now, Instant until)
            throws InterruptedException {
        if (boundToSecret) {
            return new Authentication.Wrong(
                    "the ServiceAccount's token is bound to a Secret, which Tidemark does not"
                            + " read; --origin URL can ask the API server");
        }
        Authentication failed =
                check(
                        "ServiceAccount",
                        accounts.serviceAccount(namespace, account.name()),
                        account,
                        now);
        if (failed instanceof Authentication.None && pod.isPresent()) {
            failed = check("Pod", accounts.pod(namespace, pod.get().name()), pod.get(), now);
        } else if (failed instanceof Authentication.None && node.isPresent()) {
            failed = check("Node", accounts.node(node.get().name()), node.get(), now);
        }
        return failed instanceof Authentication.None
                ? new Authentication.Known(caller(), until)
                : failed;
    }

    /** None if the object is the expected one. */
    private static Authentication check(
            String kind, ServiceAccounts.Found found, Ref expected, Instant now) {
        return switch (found) {
            case ServiceAccounts.Found.Present present when !present.uid().equals(expected.uid()) ->
                    new Authentication.Wrong("the token is of an earlier " + kind);
            case ServiceAccounts.Found.Present present
                    when present.deletion()
                            .filter(deletion -> deletion.isBefore(now.minus(LEEWAY)))
                            .isPresent() ->
                    new Authentication.Wrong("the token's " + kind + " is deleted");
            case ServiceAccounts.Found.Present _ -> new Authentication.None();
            case ServiceAccounts.Found.Missing _ ->
                    new Authentication.Wrong("the token's " + kind + " does not exist");
            case ServiceAccounts.Found.Unknown _ ->
                    new Authentication.Unavailable(
                            "whether the token's " + kind + " exists is not known now");
        };
    }

    private Caller caller() {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        pod.ifPresent(it -> {
            extra.put(EXTRA + "pod-name", List.of(it.name()));
            extra.put(EXTRA + "pod-uid", List.of(it.uid()));
        });
        node.ifPresent(it -> {
            extra.put(EXTRA + "node-name", List.of(it.name()));
            extra.put(EXTRA + "node-uid", List.of(it.uid()));
        });
        if (!tokenId.isEmpty()) {
            extra.put(EXTRA + "credential-id", List.of("JTI=" + tokenId));
        }
        return new Caller(
                "system:serviceaccount:" + namespace + ":" + account.name(),
                account.uid(),
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
                extra);
    }
}
