package io.tidemark.standalone.options.security;

import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a process may listen: on loopback addresses always; on others only with TLS, a login and
 * limited rights, or with {@code --insecure}. Loopback is no login: all users of the machine reach
 * it.
 */
public final class StartupRule {
    private static final Logger LOG = LoggerFactory.getLogger(StartupRule.class);

    private final boolean insecure;

    /**
     * @param insecure whether the operator accepts every address
     */
    public StartupRule(boolean insecure) {
        this.insecure = insecure;
    }

    /** What protects a listener. */
    public sealed interface Protection {
        /** A node's listener for clients. */
        record OfClients(boolean tls, boolean login, boolean limited) implements Protection {}

        /** A listener for the group's members, who share a secret. */
        record OfMembers(boolean tls) implements Protection {}

        /** A broker's listener, at which all clients log in and have limited rights. */
        record OfKafkaClients(boolean tls) implements Protection {}

        /** Of a listener that cannot be protected. */
        record None() implements Protection {}

        /** What is missing, with the options that give it; empty if nothing is. */
        default List<String> missing() {
            List<String> missing = new ArrayList<>();
            switch (this) {
                case OfClients(boolean tls, boolean login, boolean limited) -> {
                    if (!tls) {
                        missing.add("TLS (--tls-cert FILE --tls-key FILE, or --tls self-signed)");
                    }
                    if (!login) {
                        missing.add(
                                "a login (--client-ca FILE, --token-file FILE, --oidc FILE or"
                                        + " --origin URL)");
                    }
                    if (!limited) {
                        missing.add("rights (--authorization rbac, policy or origin)");
                    }
                }
                case OfMembers(boolean tls) -> {
                    if (!tls) {
                        missing.add(
                                "TLS (--peer-tls-cert FILE --peer-tls-key FILE --peer-ca FILE)");
                    }
                }
                case OfKafkaClients(boolean tls) -> {
                    if (!tls) {
                        missing.add("TLS (--tls-cert FILE --tls-key FILE --tls-ca FILE)");
                    }
                }
                case None _ -> missing.add("a login, which it does not have");
            }
            return missing;
        }
    }

    /**
     * Why an address is refused; empty if it is allowed.
     *
     * @param option the option that sets the address
     * @param danger what every client of it could do
     */
    public Optional<String> refusal(
            String option, HostPort address, String danger, Protection protection) {
        List<String> missing = protection.missing();
        return insecure || address.isLoopback() || missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "%s %s would let everyone who reaches it %s. It needs %s. Or listen on 127.0.0.1, or add --insecure to accept that"
                                .formatted(option, address, danger, joined(missing)));
    }

    /**
     * Checks an address before anything is started, and logs a warning if {@code --insecure} alone
     * allows it.
     *
     * @throws UsageException if it is refused
     */
    public void require(String option, HostPort address, String danger, Protection protection) {
        refusal(option, address, danger, protection)
                .ifPresent(text -> {
                    throw new UsageException(text);
                });
        if (!address.isLoopback() && !protection.missing().isEmpty()) {
            LOG.warn(
                    "--insecure: everyone who reaches {} {} can {}; it lacks {}",
                    option,
                    address,
                    danger,
                    joined(protection.missing()));
        }
    }

    /**
     * Checks that Secrets are shown to few only.
     *
     * @param limited whether what callers may read is limited
     * @throws UsageException if they are not, and {@code --insecure} is not given
     */
    public void requireForSecrets(boolean included, boolean limited) {
        if (included && !limited && !insecure) {
            throw new UsageException(
                    "--include-secrets would let everyone who reaches --listen read Secrets. It"
                            + " needs rights (--authorization rbac, policy or origin). Or add"
                            + " --insecure to accept that");
        }
    }

    /**
     * Checks that Secrets are encrypted in Kafka and on disk.
     *
     * @param keys whether there are keys
     * @throws UsageException if there are none, and {@code --insecure} is not given
     */
    public void requireKeys(boolean included, boolean keys) {
        if (!included || keys) {
            return;
        }
        if (!insecure) {
            throw new UsageException(
                    "--include-secrets would write Secrets to Kafka and to disk in clear. It needs"
                            + " --secrets-key-file FILE; to make a file: (umask 077; echo \"1"
                            + " $(openssl rand -base64 32)\" > FILE). Or add --insecure to accept"
                            + " that");
        }
        LOG.warn(
                "--insecure: Secrets are in clear in Kafka and on disk; it lacks --secrets-key-file"
                        + " FILE");
    }

    private static String joined(List<String> parts) {
        return parts.size() < 2
                ? String.join("", parts)
                : String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.getLast();
    }
}
