package io.tidemark.query.testing;

import static org.awaitility.Awaitility.await;

import io.tidemark.query.QueryConfig;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.serving.testing.MirroredCluster;

/** The CustomResourceDefinition of the tests. */
public final class Definitions {
    /** The key of the definition of {@code widgets.example.com}. */
    public static final String WIDGETS =
            "/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com";

    private Definitions() {}

    /** A catalogue that follows the cluster, and has read its definitions; to be closed. */
    public static LiveCatalog catalog(MirroredCluster cluster) {
        LiveCatalog catalog = new LiveCatalog(cluster, QueryConfig.DEFAULT_PREFIX, false);
        catalog.start();
        await().until(catalog::ready);
        return catalog;
    }

    /**
     * Writes the definition with one version, {@code v1}.
     *
     * @param schema its OpenAPI schema in JSON
     */
    public static void widgets(MirroredCluster cluster, String schema) {
        widgets(
                cluster,
                "",
                "{\"name\":\"v1\",\"served\":true,\"storage\":true,"
                        + "\"schema\":{\"openAPIV3Schema\":%s}}".formatted(schema));
    }

    /**
     * Writes the definition.
     *
     * @param names more names, with a comma before each
     * @param versions in JSON, separated by commas
     */
    public static void widgets(MirroredCluster cluster, String names, String versions) {
        cluster.put(
                WIDGETS,
                at ->
                        """
                        {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",
                         "metadata":{"name":"widgets.example.com","resourceVersion":"%d"},
                         "spec":{"group":"example.com","scope":"Namespaced",
                          "names":{"plural":"widgets","kind":"Widget"%s},"versions":[%s]}}\
                        """
                                .formatted(at, names, versions));
    }
}
