package io.tidemark.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates all initial objects of the example cluster. Pure: the same seed and time give the same
 * objects.
 */
final class InitialCluster {
    private static final Duration AGE = Duration.ofDays(40);

    private final RandomValues values;
    private final Instant now;
    private final Map<Bytes, ObjectNode> objects = new LinkedHashMap<>();
    private final List<Integer> podsOnNode = new ArrayList<>();

    private InitialCluster(long seed, Instant now) {
        values = new RandomValues(seed);
        this.now = now;
    }

    /** The objects by their keys below the prefix, in write order. */
    static Map<Bytes, ObjectNode> generate(long seed, Instant now) {
        InitialCluster cluster = new InitialCluster(seed, now);
        cluster.namespaces();
        cluster.nodes();
        DemoData.APPS.forEach(cluster::app);
        cluster.voyages();
        return cluster.objects;
    }

    private void namespaces() {
        for (String name : DemoData.NAMESPACES) {
            Map<String, Object> fields = fields(AGE);
            fields.put("name", name);
            add(Directories.NAMESPACES, "namespace", fields);
            Map<String, Object> account = fields(AGE);
            account.put("name", "default");
            account.put("namespace", name);
            add(Directories.SERVICE_ACCOUNTS, "serviceaccount", account);
        }
    }

    private void nodes() {
        for (int i = 0; i < DemoData.NODES.size(); i++) {
            podsOnNode.add(0);
            Map<String, Object> fields = fields(AGE.minusHours(i));
            fields.put("name", DemoData.NODES.get(i));
            fields.put("zone", "coast-" + (char) ('a' + i % 3));
            fields.put("podCidr", "10.244.%d.0/24".formatted(i));
            fields.put("address", hostIp(i));
            fields.put("machine", values.hex(16));
            ObjectNode node = add(Directories.NODES, "node", fields);
            ((ObjectNode) node.at("/metadata/labels"))
                    .put("node-role.kubernetes.io/" + (i == 0 ? "control-plane" : "worker"), "");

            fields.put("nodeUid", fields.get("uid"));
            fields.put("uid", values.uid());
            add(Directories.LEASES, "lease", fields);
        }
    }

    private void app(DemoData.App app) {
        Map<String, Object> fields = fields(Duration.ofHours(2 + values.below(700)));
        fields.put("namespace", app.namespace());
        fields.put("app", app.name());
        fields.put("tier", app.tier());
        fields.put("image", app.image());
        fields.put("port", app.port());
        fields.put("portName", app.port() == 8443 ? "https" : "http");
        fields.put("replicas", app.replicas());
        fields.put("replicasText", String.valueOf(app.replicas()));
        fields.put("hash", values.suffix(10));
        fields.put("replicaSet", app.name() + "-" + fields.get("hash"));
        fields.put("config", app.name() + "-config");
        fields.put("text", "app.name=%s\nlog.level=info\n".formatted(app.name()));
        fields.put("podSpec", Templates.render("podspec", fields));

        fields.put("name", fields.get("config"));
        add(Directories.CONFIG_MAPS, "configmap", fields);
        fields.put("uid", values.uid());
        fields.put("deploymentUid", fields.get("uid"));
        add(Directories.DEPLOYMENTS, "deployment", fields);
        fields.put("uid", values.uid());
        ObjectNode replicaSet = add(Directories.REPLICA_SETS, "replicaset", fields);
        List<ObjectNode> pods = new ArrayList<>();
        for (int i = 0; i < app.replicas(); i++) {
            pods.add(pod(replicaSet));
        }
        service(fields, pods);
    }

    private ObjectNode pod(ObjectNode replicaSet) {
        // The control plane node runs only system pods.
        boolean system = replicaSet.at("/metadata/namespace").asText().equals("kube-system");
        int first = system ? 0 : 1;
        int node = first + values.below(DemoData.NODES.size() - first);
        int onNode = podsOnNode.get(node) + 1;
        podsOnNode.set(node, onNode);
        Instant created =
                Instant.parse(replicaSet.at("/metadata/creationTimestamp").asText())
                        .plusSeconds(1 + values.below(3600));
        ObjectNode pod =
                Pods.running(
                        replicaSet,
                        values,
                        created,
                        hostIp(node),
                        "10.244.%d.%d".formatted(node, onNode + 1));
        ((ObjectNode) pod.get("spec")).put("nodeName", DemoData.NODES.get(node));
        objects.put(Directories.key(Directories.PODS, pod), pod);
        return pod;
    }

    private void service(Map<String, Object> fields, List<ObjectNode> pods) {
        fields.put("uid", values.uid());
        fields.put("clusterIp", "10.96.%d.%d".formatted(values.below(16), 1 + values.below(254)));
        fields.put("serviceUid", fields.get("uid"));
        add(Directories.SERVICES, "service", fields);
        fields.put("uid", values.uid());
        fields.put("name", fields.get("app") + "-" + values.suffix(5));
        ObjectNode slice = add(Directories.ENDPOINT_SLICES, "endpointslice", fields);
        slice.set("endpoints", endpoints(pods));
    }

    /** The endpoints of these pods in an endpoint slice. */
    static ArrayNode endpoints(List<ObjectNode> pods) {
        ArrayNode endpoints = Templates.JSON.createArrayNode();
        for (ObjectNode pod : pods) {
            ObjectNode endpoint = endpoints.addObject();
            boolean terminating = Pods.isTerminating(pod);
            endpoint.putArray("addresses").add(pod.at("/status/podIP").asText());
            endpoint.putObject("conditions")
                    .put("ready", Pods.isReady(pod) && !terminating)
                    .put("serving", Pods.isReady(pod))
                    .put("terminating", terminating);
            endpoint.putObject("targetRef")
                    .put("kind", "Pod")
                    .put("namespace", pod.at("/metadata/namespace").asText())
                    .put("name", pod.at("/metadata/name").asText())
                    .put("uid", pod.at("/metadata/uid").asText());
            endpoint.put("nodeName", pod.at("/spec/nodeName").asText());
        }
        return endpoints;
    }

    private void voyages() {
        add(Directories.DEFINITIONS, "voyages-crd", fields(AGE));
        for (String ship : DemoData.SHIPS) {
            String from = values.pick(DemoData.PORTS);
            Instant left = now.minus(Duration.ofMinutes(values.below(6000)));
            ObjectNode voyage =
                    Voyages.create(
                            values, values.pick(DemoData.VOYAGE_NAMESPACES), ship, from, left);
            for (int steps = values.below(6); steps > 0; steps--) {
                Voyages.sail(voyage, values, now);
            }
            objects.put(Directories.key(Directories.VOYAGES, voyage), voyage);
        }
    }

    private ObjectNode add(String directory, String template, Map<String, Object> fields) {
        ObjectNode object = Templates.render(template, fields);
        objects.put(Directories.key(directory, object), object);
        return object;
    }

    private Map<String, Object> fields(Duration age) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("uid", values.uid());
        fields.put("created", RandomValues.seconds(now.minus(age)));
        fields.put("now", RandomValues.seconds(now));
        fields.put("nowMicros", RandomValues.micros(now));
        return fields;
    }

    static String hostIp(int node) {
        return "10.20.0." + (11 + node);
    }
}
