package io.tidemark.fuzz;

import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Several tenants of one cluster, a namespace each. Their objects have the same names and carry
 * their tenant's marker in the metadata, so every response that contains an object reveals its
 * tenant. No request contains a marker.
 */
final class Tenants {
    /** One name is a prefix of another, which reveals wrong prefix handling. */
    static final List<String> NAMES = List.of("alpha", "alpha-2", "al", "beta", "gamma");

    static final List<String> PODS = List.of("pod-1", "pod-2", "pod-3");

    private static final int PARTITIONS = 4;
    private static final long FIRST_REVISION = 100;
    private static final int LARGE = 140_000;

    private final MirroredCluster cluster = new MirroredCluster(PARTITIONS, FIRST_REVISION);

    /** Every key that ever existed, and its tenant. */
    private final Map<String, String> owners = new TreeMap<>();

    Tenants() {
        for (String tenant : NAMES) {
            put(tenant, "Namespace", "v1", "/registry/namespaces/", "", tenant);
            for (String pod : PODS) {
                put(tenant, "Pod", "v1", "/registry/pods/" + tenant + "/", tenant, pod);
            }
            put(tenant, "ConfigMap", "v1", "/registry/configmaps/" + tenant + "/", tenant, "map");
            put(
                    tenant,
                    "Deployment",
                    "apps/v1",
                    "/registry/deployments/" + tenant + "/",
                    tenant,
                    "web");
            change(tenant);
            own("/registry/pods/" + tenant + "/gone", tenant);
            cluster.pod(tenant, "gone", Map.of("owner", marker(tenant)));
            cluster.delete(MirroredCluster.podKey(tenant, "gone"));
        }
        cluster.put("/registry/minions/n1", at -> Json.node("n1", at));
        // Large enough for several pieces and for compression.
        String note = "n".repeat(LARGE);
        own("/registry/pods/gamma/large", "gamma");
        cluster.put(
                "/registry/pods/gamma/large",
                at -> Json.pod("gamma", "large", at, Map.of("owner", marker("gamma")), "", note));
    }

    /** Puts the markers into names, node names, and the reasons of unreadable objects too. */
    void markMore() {
        for (String tenant : NAMES) {
            String name = marker(tenant);
            own("/registry/pods/" + tenant + "/" + name, tenant);
            cluster.pod(tenant, name, Map.of("app", "web"), name + "-node");
            own("/registry/pods/" + tenant + "/unreadable", tenant);
            cluster.raw(
                    Bytes.utf8("/registry/pods/" + tenant + "/unreadable"),
                    name.getBytes(StandardCharsets.UTF_8),
                    "unreadable " + name);
        }
    }

    MirroredCluster cluster() {
        return cluster;
    }

    long oldest() {
        return FIRST_REVISION;
    }

    long newest() {
        return cluster.revision();
    }

    /** A change that watches of the tenant must see, and no others. */
    void change(String tenant) {
        cluster.pod(tenant, PODS.getFirst(), Map.of("owner", marker(tenant), "app", "web"), "n1");
    }

    static String marker(String tenant) {
        return "mk." + tenant + ".km";
    }

    /** The tenants whose markers a text contains. */
    static Set<String> shownIn(byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        Set<String> shown = new HashSet<>();
        for (String tenant : NAMES) {
            if (text.contains(marker(tenant))) {
                shown.add(tenant);
            }
        }
        return shown;
    }

    /** The tenants with keys below {@code prefix}. */
    Set<String> below(Bytes prefix) {
        Set<String> tenants = new HashSet<>();
        owners.forEach((key, tenant) -> {
            if (Bytes.utf8(key).startsWith(prefix)) {
                tenants.add(tenant);
            }
        });
        return tenants;
    }

    private void put(
            String tenant,
            String kind,
            String apiVersion,
            String directory,
            String namespace,
            String name) {
        own(directory + name, tenant);
        String inNamespace = namespace.isEmpty() ? "" : "\"namespace\":\"%s\",".formatted(tenant);
        cluster.put(
                directory + name,
                at ->
                        ("{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"name\":\"%s\",%s"
                                        + "\"labels\":{\"owner\":\"%s\",\"app\":\"web\"},"
                                        + "\"resourceVersion\":\"%d\"}}")
                                .formatted(
                                        kind, apiVersion, name, inNamespace, marker(tenant), at));
    }

    private void own(String key, String tenant) {
        owners.put(key, tenant);
    }
}
