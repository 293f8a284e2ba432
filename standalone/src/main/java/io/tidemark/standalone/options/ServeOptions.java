package io.tidemark.standalone.options;

import io.tidemark.query.QueryConfig;
import picocli.CommandLine.Option;

/** Where a node answers, and as what. */
public final class ServeOptions {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = {
                "Address for kubectl and all other clients; port 0 picks a free one. There is no"
                        + " login:",
                "on other than loopback addresses everyone can read (default: ${DEFAULT-VALUE})."
            })
    private HostPort listen = new HostPort("127.0.0.1", 8080);

    @Option(
            names = "--kubernetes-version",
            paramLabel = "VERSION",
            description =
                    "The Kubernetes version that clients are told, vMAJOR.MINOR.PATCH"
                            + " (default: ${DEFAULT-VALUE}).")
    private String kubernetesVersion = QueryConfig.DEFAULT_GIT_VERSION;

    public HostPort listen() {
        return listen;
    }

    /**
     * The query node's configuration.
     *
     * @throws UsageException if a value is out of bounds
     */
    public QueryConfig query(MirrorOptions mirror, StoreOptions store) {
        if (!kubernetesVersion.matches("v\\d+\\.\\d+\\.\\d+.*")) {
            throw new UsageException(
                    "--kubernetes-version: '%s' is not of the form v1.36.0"
                            .formatted(kubernetesVersion));
        }
        return UsageException.unlessValid(() -> {
            QueryConfig base = QueryConfig.listeningOn(listen.host(), listen.port());
            return new QueryConfig(
                    base.host(),
                    base.port(),
                    mirror.prefix(),
                    mirror.includeSecrets(),
                    kubernetesVersion,
                    store.indexes(),
                    base.limits(),
                    base.times());
        });
    }
}
