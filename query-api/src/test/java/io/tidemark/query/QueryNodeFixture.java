package io.tidemark.query;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/**
 * A query node over a mirrored cluster on a free port, and a client for it. Unless a test sets it,
 * a request waits for the requested state for longer than a machine under load takes.
 */
public final class QueryNodeFixture implements AutoCloseable {
    private static final Catalog BUILT_IN =
            FixedCatalog.of(BuiltInResources.under(QueryConfig.DEFAULT_PREFIX));

    public final MirroredCluster cluster;
    public final QueryNode node;
    public final HttpClientForTests client;
    public final String url;

    public QueryNodeFixture(MirroredCluster cluster) {
        this(cluster, config -> config);
    }

    public QueryNodeFixture(MirroredCluster cluster, UnaryOperator<QueryConfig> settings) {
        this(cluster, settings, () -> BUILT_IN);
    }

    public QueryNodeFixture(
            MirroredCluster cluster,
            UnaryOperator<QueryConfig> settings,
            Supplier<Catalog> catalog) {
        this(cluster, settings, catalog, Duration.ZERO);
    }

    /** A node that also knows the custom resources of the past. */
    public QueryNodeFixture(MirroredCluster cluster, LiveCatalog catalog) {
        this(cluster, new QueryNode(patientConfig(), cluster, cluster, catalog, cluster.clock()));
    }

    /** The same, which soon refuses a request for definitions that do not come. */
    public static QueryNodeFixture impatient(MirroredCluster cluster, LiveCatalog catalog) {
        return new QueryNodeFixture(
                cluster,
                new QueryNode(
                        withFreshness(patientConfig(), Duration.ofMillis(300)),
                        cluster,
                        cluster,
                        catalog,
                        cluster.clock()));
    }

    private QueryNodeFixture(
            MirroredCluster cluster,
            UnaryOperator<QueryConfig> settings,
            Supplier<Catalog> catalog,
            Duration readProbeInterval) {
        this(
                cluster,
                new QueryNode(
                        settings.apply(patientConfig()),
                        cluster,
                        cluster,
                        catalog,
                        cluster.clock(),
                        readProbeInterval));
    }

    private QueryNodeFixture(MirroredCluster cluster, QueryNode node) {
        this.cluster = cluster;
        this.node = node;
        node.start();
        this.url = node.url();
        this.client = new HttpClientForTests(url);
    }

    private static QueryConfig patientConfig() {
        return withFreshness(QueryConfig.listeningOn("127.0.0.1", 0), Duration.ofMinutes(1));
    }

    private static QueryConfig withFreshness(QueryConfig config, Duration limit) {
        return config.withTimes(config.times().withFreshness(limit));
    }

    /** A node that soon refuses a request for a state that does not come: for tests of a 504. */
    public static QueryNodeFixture impatient(MirroredCluster cluster) {
        return new QueryNodeFixture(
                cluster, config -> withFreshness(config, Duration.ofMillis(300)));
    }

    /** A node that runs its consistent read probe continuously. */
    public static QueryNodeFixture lookingAtNow(MirroredCluster cluster) {
        return new QueryNodeFixture(
                cluster,
                config -> withFreshness(config, Duration.ofMillis(300)),
                () -> BUILT_IN,
                Duration.ofMillis(20));
    }

    /** Until the mirrored rules have been read, no request can be judged. */
    public void awaitReady() {
        Awaitility.await().until(() -> client.get("/readyz").status() == 200);
    }

    @Override
    public void close() {
        client.close();
        node.close();
    }
}
