package io.tidemark.query.http.access;

import java.util.Optional;
import java.util.regex.Pattern;

/** User names whose form says what they are. */
final class KnownNames {
    private static final String NODE = "system:node:";
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final Pattern DNS_LABEL = Pattern.compile(LABEL);
    private static final Pattern DNS_SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*+");
    private static final int MAX_SUBDOMAIN = 253;

    private KnownNames() {}

    /** The namespace and name of a service account. */
    record ServiceAccountName(String namespace, String name) {}

    static Optional<ServiceAccountName> serviceAccount(String user) {
        if (!user.startsWith(SERVICE_ACCOUNT)) {
            return Optional.empty();
        }
        String[] parts = user.substring(SERVICE_ACCOUNT.length()).split(":", -1);
        return parts.length == 2 && DNS_LABEL.matcher(parts[0]).matches() && isSubdomain(parts[1])
                ? Optional.of(new ServiceAccountName(parts[0], parts[1]))
                : Optional.empty();
    }

    /** The name of the node that a user is. */
    static Optional<String> node(String user) {
        return user.startsWith(NODE) && isSubdomain(user.substring(NODE.length()))
                ? Optional.of(user.substring(NODE.length()))
                : Optional.empty();
    }

    private static boolean isSubdomain(String name) {
        return name.length() <= MAX_SUBDOMAIN && DNS_SUBDOMAIN.matcher(name).matches();
    }
}
