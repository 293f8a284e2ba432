package io.tidemark.query;

import io.tidemark.credentials.ServerTls;
import io.tidemark.http.AllowedHosts;
import io.tidemark.http.ConnectionLimits;
import io.tidemark.http.metrics.OtlpSettings;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.audit.AuditSettings;
import io.tidemark.query.catalog.ServedApis;
import io.tidemark.query.http.exchange.ServingLimits;
import io.tidemark.query.http.exchange.ServingTimes;
import io.tidemark.query.select.DeclaredIndexes;
import io.tidemark.record.Bytes;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The configuration of a query node.
 *
 * @param host to listen on
 * @param port to listen on, 0 for any free one
 * @param prefix of the mirrored Kubernetes cluster in etcd, with the slash
 * @param kubernetesRoots the etcd directories under which API servers store objects
 * @param includeSecrets whether Secrets are served; otherwise the resource does not exist, since an
 *     empty list would claim that there are none, and no read returns one even if the topic holds
 *     it
 * @param apis the built-in resources that are served
 * @param gitVersion the Kubernetes version that {@code /version} reports
 * @param indexes fields that the stores index and field selectors may therefore name
 * @param allowedHosts the host names by which clients may call this node
 * @param connections limits of open connections
 * @param compressWatches whether watches are compressed for clients that accept it
 * @param tls the certificate of {@code https}; empty for plain HTTP
 * @param access who may read what
 * @param audit what is recorded about requests
 * @param otlp where metrics are sent; empty for nowhere
 */
public record QueryConfig(
        String host,
        int port,
        Bytes prefix,
        KubernetesRoots kubernetesRoots,
        boolean includeSecrets,
        ServedApis apis,
        String gitVersion,
        DeclaredIndexes indexes,
        ServingLimits limits,
        ServingTimes times,
        AllowedHosts allowedHosts,
        ConnectionLimits connections,
        boolean compressWatches,
        Optional<ServerTls> tls,
        AccessSettings access,
        Optional<AuditSettings> audit,
        Optional<OtlpSettings> otlp) {
    /** Each watch takes a connection; the default limit of watches is half of this. */
    public static final int DEFAULT_CONNECTIONS = 20_000;

    public static final boolean DEFAULT_COMPRESS_WATCHES = true;

    public static final Bytes DEFAULT_PREFIX = Bytes.utf8("/registry/");
    public static final String DEFAULT_GIT_VERSION = "v1.36.0";

    public QueryConfig {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port: " + port);
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("no host to listen on");
        }
    }

    /** The defaults with an address to listen on. */
    public static QueryConfig listeningOn(String host, int port) {
        return new QueryConfig(
                host,
                port,
                DEFAULT_PREFIX,
                KubernetesRoots.DEFAULT,
                false,
                ServedApis.DEFAULT,
                DEFAULT_GIT_VERSION,
                DeclaredIndexes.NONE,
                ServingLimits.defaults(),
                ServingTimes.defaults(),
                AllowedHosts.of(host),
                ConnectionLimits.of(DEFAULT_CONNECTIONS, DEFAULT_CONNECTIONS / 2),
                DEFAULT_COMPRESS_WATCHES,
                Optional.empty(),
                AccessSettings.OPEN,
                Optional.empty(),
                Optional.empty());
    }

    public QueryConfig withPrefix(Bytes newPrefix) {
        return with(draft -> draft.prefix = newPrefix);
    }

    public QueryConfig withSecrets(KubernetesRoots newRoots, boolean included) {
        return with(draft -> {
            draft.kubernetesRoots = newRoots;
            draft.includeSecrets = included;
        });
    }

    public QueryConfig withLimits(ServingLimits newLimits) {
        return with(draft -> draft.limits = newLimits);
    }

    public QueryConfig withTimes(ServingTimes newTimes) {
        return with(draft -> draft.times = newTimes);
    }

    public QueryConfig withAllowedHosts(AllowedHosts newHosts) {
        return with(draft -> draft.allowedHosts = newHosts);
    }

    public QueryConfig withConnections(ConnectionLimits newConnections) {
        return with(draft -> draft.connections = newConnections);
    }

    public QueryConfig withCompressedWatches(boolean compressed) {
        return with(draft -> draft.compressWatches = compressed);
    }

    public QueryConfig withTls(ServerTls secured) {
        return with(draft -> draft.tls = Optional.of(secured));
    }

    public QueryConfig withAccess(AccessSettings newAccess) {
        return with(draft -> draft.access = newAccess);
    }

    public QueryConfig withAudit(AuditSettings recorded) {
        return with(draft -> draft.audit = Optional.of(recorded));
    }

    public QueryConfig withOtlp(Optional<OtlpSettings> newOtlp) {
        return with(draft -> draft.otlp = newOtlp);
    }

    private QueryConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finished(this);
    }

    /** What the {@code with} methods can change. */
    private static final class Draft {
        private Bytes prefix;
        private KubernetesRoots kubernetesRoots;
        private boolean includeSecrets;
        private ServingLimits limits;
        private ServingTimes times;
        private AllowedHosts allowedHosts;
        private ConnectionLimits connections;
        private boolean compressWatches;
        private Optional<ServerTls> tls;
        private AccessSettings access;
        private Optional<AuditSettings> audit;
        private Optional<OtlpSettings> otlp;

        private Draft(QueryConfig base) {
            prefix = base.prefix;
            kubernetesRoots = base.kubernetesRoots;
            includeSecrets = base.includeSecrets;
            limits = base.limits;
            times = base.times;
            allowedHosts = base.allowedHosts;
            connections = base.connections;
            compressWatches = base.compressWatches;
            tls = base.tls;
            access = base.access;
            audit = base.audit;
            otlp = base.otlp;
        }

        private QueryConfig finished(QueryConfig base) {
            return new QueryConfig(
                    base.host,
                    base.port,
                    prefix,
                    kubernetesRoots,
                    includeSecrets,
                    base.apis,
                    base.gitVersion,
                    base.indexes,
                    limits,
                    times,
                    allowedHosts,
                    connections,
                    compressWatches,
                    tls,
                    access,
                    audit,
                    otlp);
        }
    }
}
