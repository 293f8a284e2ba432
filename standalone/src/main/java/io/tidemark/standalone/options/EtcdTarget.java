package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;
import io.tidemark.connector.upstream.UpstreamOptions;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.standalone.options.security.SecretFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The etcd to connect to: endpoints, TLS and login. */
public final class EtcdTarget {
    @Option(
            names = "--etcd",
            split = ",",
            paramLabel = "URL",
            description = {
                "etcd's client URLs, http://HOST:PORT or https://HOST:PORT, separated by commas;",
                "all members of one cluster. Connectors also follow another Tidemark:"
                        + " http://HOST:PORT/kv of its nodes."
            })
    private List<String> endpoints = List.of();

    @Option(
            names = "--etcd-ca",
            paramLabel = "FILE",
            description =
                    "PEM file with the certificate authorities that etcd's certificate is verified"
                            + " against; without it, Java's trust store.")
    private @Nullable Path ca;

    @Option(
            names = "--etcd-cert",
            paramLabel = "FILE",
            description = "PEM file with the client certificate and its chain.")
    private @Nullable Path certificate;

    @Option(
            names = "--etcd-key",
            paramLabel = "FILE",
            description =
                    "PEM file with the client certificate's key, without a passphrase; mode 0600.")
    private @Nullable Path key;

    @Option(
            names = "--etcd-user",
            paramLabel = "NAME",
            description = "User to log in to etcd as, over https:// only.")
    private @Nullable String user;

    @Option(
            names = "--etcd-password",
            paramLabel = "PASSWORD",
            description = {
                "That user's password. Other users of the machine can see the command line:",
                "prefer TIDEMARK_ETCD_PASSWORD or --etcd-password-file."
            })
    private @Nullable String password;

    @Option(
            names = "--etcd-password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password; mode 0600.")
    private @Nullable Path passwordFile;

    /** Whether {@code --etcd} is given; without it {@code up} runs its own etcd. */
    public boolean isGiven() {
        return !endpoints.isEmpty();
    }

    /**
     * @throws UsageException if {@code --etcd} is missing or the options contradict each other
     */
    public EtcdOptions options() {
        if (!isGiven()) {
            throw new UsageException("needs --etcd URL, such as --etcd http://127.0.0.1:2379");
        }
        return options(endpoints);
    }

    /**
     * Options for the etcd that {@code up} runs, which has no users and no TLS.
     *
     * @throws UsageException if {@code --etcd-*} options are given without {@code --etcd}
     */
    public EtcdOptions ownAt(String endpoint) {
        requireNoneWithoutEtcd();
        return options(List.of(endpoint));
    }

    /**
     * @throws UsageException if {@code --etcd-*} options are given without {@code --etcd}
     */
    public void requireNoneWithoutEtcd() {
        boolean any = ca != null || certificate != null || key != null || user != null;
        if (!isGiven() && (any || password != null || passwordFile != null)) {
            throw new UsageException("options that begin with --etcd- need --etcd URL");
        }
    }

    List<String> endpoints() {
        return endpoints;
    }

    /**
     * How to reach the endpoints when they are those of a Tidemark.
     *
     * @throws UsageException if options are given that only etcd has, or contradict each other
     */
    UpstreamOptions tidemark(Optional<Path> tokenFile) {
        if (user != null || password != null || passwordFile != null) {
            throw new UsageException(
                    "--etcd-user logs in to etcd; a Tidemark knows clients by --etcd-cert or"
                            + " --etcd-token-file");
        }
        if ((certificate == null) != (key == null)) {
            throw new UsageException("--etcd-cert and --etcd-key need each other");
        }
        return UsageException.unlessValid(() ->
                new UpstreamOptions(
                        endpoints.stream().map(UpstreamOptions::endpoint).toList(),
                        Optional.ofNullable(ca),
                        certificate == null || key == null
                                ? Optional.empty()
                                : Optional.of(new UpstreamOptions.Identity(certificate, key)),
                        tokenFile));
    }

    private EtcdOptions options(List<String> urls) {
        if (urls.stream().anyMatch(UpstreamOptions::isTidemark)) {
            throw new UsageException(
                    "--etcd must be an etcd here, not a Tidemark: "
                            + urls.stream().map(EtcdOptions::withoutUser).toList());
        }
        try {
            EtcdOptions options = EtcdOptions.of(urls);
            if (key != null) {
                SecretFiles.requirePrivate(key);
            }
            return options.withTls(ca, certificate, key).withUser(user, effectivePassword());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable String effectivePassword() {
        if (passwordFile == null) {
            return password;
        }
        if (password != null) {
            throw new UsageException("give --etcd-password or --etcd-password-file, not both");
        }
        return SecretFiles.firstLine(passwordFile);
    }
}
