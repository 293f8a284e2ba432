package io.tidemark.scenarios;

import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.record.Bytes;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Objects of one built-in, namespaced resource, written directly into etcd.
 *
 * @param kind such as {@code Pod}, of the core group
 * @param plural in paths and keys
 */
record ScenarioObjects(ScenarioCluster cluster, String kind, String plural) {
    private static final AtomicLong SERIAL = new AtomicLong();

    static ScenarioObjects pods(ScenarioCluster cluster) {
        return new ScenarioObjects(cluster, "Pod", "pods");
    }

    /** Path of all, or of one namespace's. */
    String path(String namespace) {
        return namespace.isEmpty()
                ? "/api/v1/" + plural
                : "/api/v1/namespaces/" + namespace + "/" + plural;
    }

    String path(String namespace, String name) {
        return path(namespace) + "/" + name;
    }

    Bytes key(String namespace, String name) {
        return Bytes.utf8("/registry/" + plural + "/" + namespace + "/" + name);
    }

    /** Writes a unique object; returns its revision. */
    long put(String namespace, String name) {
        return put(namespace, name, Map.of(), "");
    }

    long put(String namespace, String name, Map<String, String> labels) {
        return put(namespace, name, labels, "");
    }

    long put(String namespace, String name, Map<String, String> labels, String node) {
        return cluster.etcd()
                .client()
                .put(key(namespace, name), value(namespace, name, labels, node));
    }

    /** A write within a transaction. */
    Op.Put op(String namespace, String name) {
        return new Op.Put(key(namespace, name), value(namespace, name, Map.of(), ""));
    }

    /** Deletes an object; returns the revision of that. */
    long delete(String namespace, String name) {
        return cluster.etcd().client().txn(Txn.of(new Op.Delete(key(namespace, name)))).revision();
    }

    private Bytes value(String namespace, String name, Map<String, String> labels, String node) {
        String shownLabels =
                labels.entrySet().stream()
                        .map(label -> "\"%s\":\"%s\"".formatted(label.getKey(), label.getValue()))
                        .sorted()
                        .collect(Collectors.joining(","));
        return Bytes.utf8(
                ("{\"kind\":\"%s\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\","
                                + "\"namespace\":\"%s\",\"labels\":{%s},"
                                + "\"annotations\":{\"serial\":\"%d\"}},"
                                + "\"spec\":{\"nodeName\":\"%s\"}}")
                        .formatted(
                                kind,
                                name,
                                namespace,
                                shownLabels,
                                SERIAL.incrementAndGet(),
                                node));
    }
}
