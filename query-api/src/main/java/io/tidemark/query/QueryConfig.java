package io.tidemark.query;

import io.tidemark.query.http.ServingLimits;
import io.tidemark.query.http.ServingTimes;
import io.tidemark.query.select.DeclaredIndexes;
import io.tidemark.record.Bytes;

/**
 * What a query node is told.
 *
 * @param host to listen on
 * @param port to listen on, 0 for any free one
 * @param prefix of the mirrored Kubernetes cluster in etcd, with the slash
 * @param includeSecrets whether Secrets are mirrored; otherwise they are no resource at all, since
 *     an empty list would say that there are none
 * @param gitVersion the Kubernetes version that {@code /version} shows
 * @param indexes fields that are indexed in the stores, and may be selected by for that
 */
public record QueryConfig(
        String host,
        int port,
        Bytes prefix,
        boolean includeSecrets,
        String gitVersion,
        DeclaredIndexes indexes,
        ServingLimits limits,
        ServingTimes times) {
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

    /** Everything but the address as it is best for most. */
    public static QueryConfig listeningOn(String host, int port) {
        return new QueryConfig(
                host,
                port,
                DEFAULT_PREFIX,
                false,
                DEFAULT_GIT_VERSION,
                DeclaredIndexes.NONE,
                ServingLimits.defaults(),
                ServingTimes.defaults());
    }

    public QueryConfig withPrefix(Bytes newPrefix) {
        return new QueryConfig(
                host, port, newPrefix, includeSecrets, gitVersion, indexes, limits, times);
    }

    public QueryConfig withLimits(ServingLimits newLimits) {
        return new QueryConfig(
                host, port, prefix, includeSecrets, gitVersion, indexes, newLimits, times);
    }

    public QueryConfig withTimes(ServingTimes newTimes) {
        return new QueryConfig(
                host, port, prefix, includeSecrets, gitVersion, indexes, limits, newTimes);
    }
}
