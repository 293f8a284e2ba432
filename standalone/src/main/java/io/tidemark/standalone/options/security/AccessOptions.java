package io.tidemark.standalone.options.security;

import io.tidemark.authentication.Authenticator;
import io.tidemark.authentication.AuthenticatorChain;
import io.tidemark.authentication.CertificateAuthenticator;
import io.tidemark.authentication.TokenAuthenticator;
import io.tidemark.authentication.TokenFile;
import io.tidemark.authentication.jwt.JwtAuthenticator;
import io.tidemark.authentication.remote.OriginServer;
import io.tidemark.authentication.review.AccessReviewer;
import io.tidemark.authentication.review.TokenReviewer;
import io.tidemark.client.Durations;
import io.tidemark.client.UsageException;
import io.tidemark.credentials.ClientAuthorities;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization;
import io.tidemark.query.access.PolicyFile;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who may ask a node, and for what. */
public final class AccessOptions {
    private static final String ORIGIN = "origin";
    private static final String ANY_LOGIN = "--client-ca, --token-file, --oidc or --origin";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = {
                "Bearer tokens, one per line: token,user,uid,\"group1,group2\". Only its owner may"
                        + " read it (mode 0600);",
                "it is read again when it changes."
            })
    private @Nullable Path tokenFile;

    @Option(
            names = "--oidc",
            paramLabel = "FILE",
            description =
                    "YAML file with the issuers of signed tokens (OpenID Connect); it is read"
                            + " again when it changes.")
    private @Nullable Path issuers;

    @Option(
            names = "--origin",
            paramLabel = "URL",
            description = {
                "An API server that is asked whose a token is (TokenReview), and with"
                        + " --authorization origin who may",
                "do what, such as https://10.0.0.1:6443. Needs --origin-token-file."
            })
    private String origin = "";

    @Option(
            names = "--origin-ca",
            paramLabel = "FILE",
            description = "PEM file with the authorities of that API server's certificate.")
    private @Nullable Path originAuthorities;

    @Option(
            names = "--origin-token-file",
            paramLabel = "FILE",
            description = {
                "This node's own token at that API server, in the first line of a file that only"
                        + " its owner may read.",
                "It must be allowed to create tokenreviews and subjectaccessreviews."
            })
    private @Nullable Path originToken;

    @Option(
            names = "--anonymous-auth",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description =
                    "Serve requests without credentials as system:anonymous in the group"
                            + " system:unauthenticated.")
    private boolean anonymous;

    @Option(
            names = "--authorization",
            paramLabel = "MODE",
            description = {
                "What callers may read: rbac, by the roles and bindings of the mirrored cluster;"
                        + " policy, by those of",
                "the file --policy; origin, as --origin decides (SubjectAccessReview); none,"
                        + " everything (default:",
                "${DEFAULT-VALUE})."
            })
    private String mode = "none";

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description =
                    "YAML file with Roles, ClusterRoles and their bindings, for --authorization"
                            + " policy; it is read again when it changes.")
    private @Nullable Path policy;

    @Option(
            names = "--authz-max-age",
            paramLabel = "TIME",
            converter = Durations.class,
            description = {
                "With --authorization rbac and older rules than this, only members of"
                        + " system:masters may read",
                "(default: 5m)."
            })
    private Duration maximumAge = Duration.ofMinutes(5);

    private @Nullable AccessSettings made;

    /** Whether callers must log in. */
    public boolean hasLogin(TlsOptions tls) {
        return tls.clientAuthorities().isPresent()
                || tokenFile != null
                || issuers != null
                || !origin.isEmpty();
    }

    /** Whether what callers may read is limited. */
    public boolean isLimited() {
        return !mode.equals("none");
    }

    /**
     * The settings; the same object at each call.
     *
     * @param tls whose client certificates count
     * @param roots where the mirror holds objects of clusters
     * @param prefix of the keys in the mirror
     * @throws UsageException if the options contradict each other, or a file cannot be used
     */
    public synchronized AccessSettings settings(
            TlsOptions tls, KubernetesRoots roots, Bytes prefix) {
        AccessSettings settings = made;
        if (settings == null) {
            requireConsistent(tls);
            try {
                Optional<OriginServer> server = server();
                settings =
                        new AccessSettings(
                                authenticator(tls, server), authorization(roots, prefix, server));
            } catch (IOException | IllegalArgumentException e) {
                throw new UsageException(String.valueOf(e.getMessage()));
            }
            made = settings;
        }
        return settings;
    }

    private void requireConsistent(TlsOptions tls) {
        if (!List.of("none", "rbac", "policy", ORIGIN).contains(mode)) {
            throw new UsageException(
                    "--authorization must be none, rbac, policy or origin, not '%s'"
                            .formatted(mode));
        }
        if (mode.equals(ORIGIN) && origin.isEmpty()) {
            throw new UsageException("--authorization origin needs --origin URL");
        }
        if (mode.equals("policy") != (policy != null)) {
            throw new UsageException("--authorization policy and --policy FILE belong together");
        }
        if (isLimited() && !hasLogin(tls) && !anonymous) {
            throw new UsageException(
                    "--authorization %s needs a login: %s; or --anonymous-auth"
                            .formatted(mode, ANY_LOGIN));
        }
        if (origin.isEmpty() && (originAuthorities != null || originToken != null)) {
            throw new UsageException("--origin-ca and --origin-token-file need --origin URL");
        }
        if (!origin.isEmpty() && originToken == null) {
            throw new UsageException("--origin needs --origin-token-file FILE");
        }
        if (!maximumAge.isPositive()) {
            throw new UsageException("--authz-max-age must be above 0");
        }
    }

    private Optional<OriginServer> server() throws IOException {
        return originToken == null
                ? Optional.empty()
                : Optional.of(
                        new OriginServer(
                                origin, Optional.ofNullable(originAuthorities), originToken));
    }

    private Optional<Authenticator> authenticator(TlsOptions tls, Optional<OriginServer> server)
            throws IOException {
        if (!hasLogin(tls) && !anonymous) {
            return Optional.empty();
        }
        List<Authenticator> certificates = new ArrayList<>();
        if (tls.clientAuthorities().isPresent()) {
            certificates.add(
                    new CertificateAuthenticator(
                            new ClientAuthorities(tls.clientAuthorities().get()),
                            InstantSource.system()));
        }
        List<TokenAuthenticator> tokens = new ArrayList<>();
        if (tokenFile != null) {
            tokens.add(new TokenFile(tokenFile));
        }
        if (issuers != null) {
            tokens.add(new JwtAuthenticator(issuers, Optional.empty()));
        }
        server.map(TokenReviewer::new).ifPresent(tokens::add);
        return Optional.of(new AuthenticatorChain(certificates, tokens, anonymous));
    }

    private Authorization authorization(
            KubernetesRoots roots, Bytes prefix, Optional<OriginServer> server) throws IOException {
        if (mode.equals(ORIGIN)) {
            return new Authorization.Given(new AccessReviewer(server.orElseThrow()));
        }
        if (policy != null) {
            return new Authorization.Given(new PolicyFile(policy));
        }
        if (!isLimited()) {
            return new Authorization.None();
        }
        if (!roots.roots().contains(prefix)) {
            throw new UsageException(
                    "--authorization rbac needs the roles and bindings of a cluster in the mirror:"
                            + " --prefix must be one of --kubernetes-root %s, not %s"
                                    .formatted(roots, prefix));
        }
        return new Authorization.Mirrored(maximumAge);
    }
}
