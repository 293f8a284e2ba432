package io.tidemark.fuzz;

import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Several tenants of one cluster, a namespace each. Their objects have the same names, and each
 * carries its tenant's marker in its metadata, so that whatever shows an object shows whose it is.
 * No request ever holds a marker.
 */
final class Tenants {
    /** One is the beginning of another: a prefix that is cut wrongly shows. */
    static final List<String> NAMES = List.of("alpha", "alpha-2", "al", "beta", "gamma");

    static final List<String> PODS = List.of("pod-1", "pod-2", "pod-3");

    private static final int PARTITIONS = 4;
    private static final long FIRST_REVISION = 100;
    private static final int LARGE = 140_000;

    private final MirroredCluster cluster = new MirroredCluster(PARTITIONS, FIRST_REVISION);

    /** Every key that was ever there, and its tenant. */
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
        // Large enough to come in many pieces, and to be worth compressing.
        String note = "n".repeat(LARGE);
        own("/registry/pods/gamma/large", "gamma");
        cluster.put(
                "/registry/pods/gamma/large",
                at -> Json.pod("gamma", "large", at, Map.of("owner", marker("gamma")), "", note));
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

    /** Whose objects a text shows. */
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

    /** Whose keys begin with {@code prefix}. */
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
