package io.tidemark.query;

import io.tidemark.http.AllowedHosts;
import io.tidemark.http.ConnectionLimits;
import io.tidemark.kubernetes.KubernetesRoots;
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
 * @param kubernetesRoots under which of etcd's directories API servers keep their objects
 * @param includeSecrets whether Secrets are served; otherwise they are no resource at all, since an
 *     empty list would say that there are none, and no read shows one, whatever the topic holds
 * @param gitVersion the Kubernetes version that {@code /version} shows
 * @param indexes fields that are indexed in the stores, and may be selected by for that
 * @param allowedHosts by which names clients may call it
 * @param connections that it holds open
 */
public record QueryConfig(
        String host,
        int port,
        Bytes prefix,
        KubernetesRoots kubernetesRoots,
        boolean includeSecrets,
        String gitVersion,
        DeclaredIndexes indexes,
        ServingLimits limits,
        ServingTimes times,
        AllowedHosts allowedHosts,
        ConnectionLimits connections) {
    /** Every watch takes one, and by default there may be half as many watches. */
    public static final int DEFAULT_CONNECTIONS = 20_000;

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
                KubernetesRoots.DEFAULT,
                false,
                DEFAULT_GIT_VERSION,
                DeclaredIndexes.NONE,
                ServingLimits.defaults(),
                ServingTimes.defaults(),
                AllowedHosts.of(host),
                ConnectionLimits.of(DEFAULT_CONNECTIONS, DEFAULT_CONNECTIONS / 2));
    }

    public QueryConfig withPrefix(Bytes newPrefix) {
        return with(
                newPrefix,
                kubernetesRoots,
                includeSecrets,
                limits,
                times,
                allowedHosts,
                connections);
    }

    /** The same for a node that serves Secrets, or does not, below some roots. */
    public QueryConfig withSecrets(KubernetesRoots newRoots, boolean included) {
        return with(prefix, newRoots, included, limits, times, allowedHosts, connections);
    }

    public QueryConfig withLimits(ServingLimits newLimits) {
        return with(
                prefix,
                kubernetesRoots,
                includeSecrets,
                newLimits,
                times,
                allowedHosts,
                connections);
    }

    public QueryConfig withTimes(ServingTimes newTimes) {
        return with(
                prefix,
                kubernetesRoots,
                includeSecrets,
                limits,
                newTimes,
                allowedHosts,
                connections);
    }

    public QueryConfig withAllowedHosts(AllowedHosts newHosts) {
        return with(prefix, kubernetesRoots, includeSecrets, limits, times, newHosts, connections);
    }

    public QueryConfig withConnections(ConnectionLimits newConnections) {
        return with(
                prefix,
                kubernetesRoots,
                includeSecrets,
                limits,
                times,
                allowedHosts,
                newConnections);
    }

    private QueryConfig with(
            Bytes newPrefix,
            KubernetesRoots newRoots,
            boolean included,
            ServingLimits newLimits,
            ServingTimes newTimes,
            AllowedHosts newHosts,
            ConnectionLimits newConnections) {
        return new QueryConfig(
                host,
                port,
                newPrefix,
                newRoots,
                included,
                gitVersion,
                indexes,
                newLimits,
                newTimes,
                newHosts,
                newConnections);
    }
}
