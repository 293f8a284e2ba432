package io.tidemark.standalone.options;

import io.tidemark.address.HostPort;
import io.tidemark.client.Durations;
import io.tidemark.client.UsageException;
import io.tidemark.http.AllowedHosts;
import io.tidemark.http.ConnectionLimits;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.catalog.ServedApis;
import io.tidemark.query.http.exchange.ServingLimits;
import io.tidemark.query.http.exchange.ServingTimes;
import io.tidemark.standalone.options.security.AccessOptions;
import io.tidemark.standalone.options.security.AllowedHostOption;
import io.tidemark.standalone.options.security.AuditOptions;
import io.tidemark.standalone.options.security.InsecureOption;
import io.tidemark.standalone.options.security.StartupRule;
import io.tidemark.standalone.options.security.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A node's client listener: address, reported version and limits. */
public final class ServeOptions {
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(10);

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = {
                "Address for kubectl and all other clients; port 0 picks a free one. Other than"
                        + " loopback",
                "addresses need TLS, a login and --authorization, or --insecure (default:"
                        + " ${DEFAULT-VALUE})."
            })
    private HostPort listen = new HostPort("127.0.0.1", 8080);

    @Option(
            names = "--kubernetes-version",
            paramLabel = "VERSION",
            description =
                    "Kubernetes version reported to clients, vMAJOR.MINOR.PATCH"
                            + " (default: ${DEFAULT-VALUE}).")
    private String kubernetesVersion = QueryConfig.DEFAULT_GIT_VERSION;

    @Option(
            names = "--runtime-config",
            split = ",",
            paramLabel = "API=true|false",
            description = {
                "Turns built-in APIs on or off, as the same option of kube-apiserver does: api/all,"
                        + " api/ga, api/beta,",
                "api/alpha, GROUP/VERSION, or GROUP/VERSION/RESOURCE, such as"
                        + " resource.k8s.io/v1alpha3=true.",
                "Alpha and beta versions are off unless turned on. Repeatable, or separated by"
                        + " commas."
            })
    private List<String> runtimeConfig = List.of();

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            converter = Durations.class,
            description = {
                "On shutdown the node ends its watches one by one within this time, 10s at most,"
                        + " so that their",
                "clients do not all reconnect at once (default: 5s)."
            })
    private Duration drain = ServingTimes.defaults().drain();

    @Option(
            names = "--max-watches",
            paramLabel = "N",
            description = "Maximum number of open watches (default: 10000).")
    private int maxWatches = ServingLimits.defaults().watch().watches();

    @Option(
            names = "--max-watches-per-client",
            paramLabel = "N",
            description = {
                "Maximum number of open watches of one user, or of one client address without a"
                        + " login (default: half of",
                "--max-watches). Clients behind a proxy share its address."
            })
    private @Nullable Integer maxWatchesPerClient;

    @Option(
            names = "--list-bytes",
            paramLabel = "BYTES",
            description = {
                "Memory for responses that are being sent, except watches; beyond it requests get"
                        + " 429",
                "(default: 256 MiB, at most a quarter of the heap)."
            })
    private long listBytes = ServingLimits.defaults().listBytes();

    @Option(
            names = "--list-bytes-per-client",
            paramLabel = "BYTES",
            description = {
                "Memory for the responses to one user, or to one client address without a login"
                        + " (default: a quarter of"
                        + " --list-bytes).",
                "Clients behind a proxy share its address."
            })
    private @Nullable Long listBytesPerClient;

    @Option(
            names = "--compress-watches",
            arity = "1",
            paramLabel = "true|false",
            description = {
                "Compress watches for clients that accept gzip or zstd. An event is compressed once"
                        + " for all watches of its form,",
                "which makes many watches cheaper and single ones dearer (default:"
                        + " ${DEFAULT-VALUE})."
            })
    private boolean compressWatches = QueryConfig.DEFAULT_COMPRESS_WATCHES;

    @Mixin private AllowedHostOption allowed = new AllowedHostOption();
    @Mixin private TlsOptions tls = new TlsOptions();
    @Mixin private AccessOptions access = new AccessOptions();
    @Mixin private AuditOptions audit = new AuditOptions();

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = {
                "Maximum number of client connections; beyond it idle ones are closed, or new ones"
                        + " get 503 if",
                "none is idle (default: 20000, less if the open file limit is lower)."
            })
    private @Nullable Integer maxConnections;

    @Option(
            names = "--max-connections-per-client",
            paramLabel = "N",
            description = {
                "Maximum number of connections of one client address; beyond it new ones get 429",
                "(default: half of --max-connections). Clients behind a proxy share its address."
            })
    private @Nullable Integer maxConnectionsPerClient;

    /**
     * The file by which clients trust the certificate that this makes, if it makes one.
     *
     * @param data the data folder
     */
    public Optional<Path> madeAuthority(Path data) {
        return tls.madeAuthority(data);
    }

    /** Host names allowed besides that of {@code --listen}. */
    public AllowedHosts allowedHosts() {
        return allowed.hosts();
    }

    private ConnectionLimits connections(DescriptorBudget budget) {
        Integer all = maxConnections;
        if (all != null && (all < 1 || all > budget.mostConnections())) {
            throw new UsageException(
                    "--max-connections must be at least 1 and at most %d, not %d: this process may have %d files open, of which %d are reserved; %s"
                            .formatted(
                                    budget.mostConnections(),
                                    all,
                                    budget.limit(),
                                    budget.stores() + budget.others(),
                                    DescriptorBudget.ADVICE));
        }
        int most = all == null ? budget.connections() : all;
        Integer perClient = maxConnectionsPerClient;
        if (perClient != null && perClient < 1) {
            throw new UsageException(
                    "--max-connections-per-client must be at least 1, not " + perClient);
        }
        return ConnectionLimits.of(most, perClient == null ? (most + 1) / 2 : perClient);
    }

    private ServingLimits limits() {
        ServingLimits base = ServingLimits.defaults();
        Integer perClient = maxWatchesPerClient;
        Long bytesPerClient = listBytesPerClient;
        ServingLimits limits =
                base.withWatch(base.watch().withWatches(maxWatches))
                        .withWatchesPerClient(perClient == null ? (maxWatches + 1) / 2 : perClient)
                        .withListBytes(listBytes);
        return bytesPerClient == null ? limits : limits.withListBytesPerClient(bytesPerClient);
    }

    /** What protects {@code --listen}. */
    public StartupRule.Protection protection() {
        return new StartupRule.Protection.OfClients(
                tls.isGiven(), access.hasLogin(tls), access.isLimited());
    }

    /**
     * Checks that clients reach no more than they should.
     *
     * @throws UsageException if they would
     */
    public void require(StartupRule rule, MirrorOptions mirror) {
        rule.require("--listen", listen, InsecureOption.READ, protection());
        rule.requireForSecrets(mirror.includeSecrets(), access.isLimited());
    }

    /** The address of the HTTP listener for clients. */
    public HostPort listen() {
        return listen;
    }

    /**
     * The query node's configuration.
     *
     * @param data the data folder, for a certificate that this makes
     * @throws UsageException if a value is out of bounds, or a certificate cannot be used
     */
    public QueryConfig query(MirrorOptions mirror, StoreOptions store, Path data) {
        if (!kubernetesVersion.matches("v\\d+\\.\\d+\\.\\d+.*")) {
            throw new UsageException(
                    "--kubernetes-version: '%s' is not of the form v1.36.0"
                            .formatted(kubernetesVersion));
        }
        if (drain.compareTo(LONGEST_DRAIN) > 0) {
            throw new UsageException(
                    "--drain: %d ms is more than the %d s that a shutdown may take"
                            .formatted(drain.toMillis(), LONGEST_DRAIN.toSeconds()));
        }
        return UsageException.unlessValid(() -> {
            QueryConfig base = QueryConfig.listeningOn(listen.host(), listen.port());
            return new QueryConfig(
                    base.host(),
                    base.port(),
                    mirror.prefix(),
                    mirror.kubernetesRoots(),
                    mirror.includeSecrets(),
                    apis(),
                    kubernetesVersion,
                    store.indexes(),
                    limits(),
                    base.times().withDrain(drain),
                    AllowedHosts.of(listen.host()).and(allowed.hosts().names()),
                    connections(DescriptorBudget.ofThisProcess()),
                    compressWatches,
                    tls.server(data, ownHosts()),
                    access.settings(tls, mirror.kubernetesRoots(), mirror.prefix()),
                    audit.settings(),
                    Optional.empty());
        });
    }

    private ServedApis apis() {
        try {
            return ServedApis.parse(runtimeConfig);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--runtime-config: " + e.getMessage());
        }
    }

    /** Names and addresses by which clients can call this node. */
    private List<String> ownHosts() {
        Set<String> hosts = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "::1"));
        if (!listen.isWildcard()) {
            hosts.add(listen.host());
        }
        hosts.addAll(allowed.hosts().names());
        return List.copyOf(hosts);
    }
}
