package io.tidemark.clients;

import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.TestEtcd;
import io.tidemark.record.Bytes;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates, changes, relabels and deletes config maps, pods and custom resources in five namespaces,
 * one change per revision.
 */
final class Changes {
    static final String GROUP = "marks.example.org";
    static final String NAMESPACE = "ns-1";
    static final String LABEL = "tier=web";

    private static final String WEB = "web";

    private static final int NAMESPACES = 5;
    private static final int NAMES = 80;
    private static final String[] TIERS = {WEB, "data", "night"};

    private final TestEtcd etcd;
    private final SplittableRandom random = new SplittableRandom(7);
    private final AtomicInteger written = new AtomicInteger();

    Changes(TestEtcd etcd) {
        this.etcd = etcd;
    }

    /** Acknowledged by etcd so far. */
    int written() {
        return written.get();
    }

    /** Defines the custom resource. */
    void define() {
        String name = "buoys." + GROUP;
        put(
                "apiextensions.k8s.io/customresourcedefinitions/" + name,
                """
                {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",\
                "metadata":{"name":"%s"},"spec":{"group":"%s","scope":"Namespaced",\
                "names":{"plural":"buoys","singular":"buoy","kind":"Buoy","listKind":"BuoyList"},\
                "versions":[{"name":"v1","served":true,"storage":true}]},\
                "status":{"acceptedNames":{"plural":"buoys","singular":"buoy","kind":"Buoy",\
                "listKind":"BuoyList"},"storedVersions":["v1"],\
                "conditions":[{"type":"Established","status":"True"}]}}
                """
                        .formatted(name, GROUP));
    }

    /** Makes more changes, one after the other. */
    void write(int count) {
        for (int i = 0; i < count; i++) {
            change();
            written.incrementAndGet();
        }
    }

    /** Writes one object that a view must show; returns its revision. */
    long touch(WatchedView view) {
        Kind kind =
                switch (view) {
                    case CONFIG_MAPS, ONE_NAMESPACE -> Kind.CONFIG_MAP;
                    case PODS, LABELLED_PODS -> Kind.POD;
                    case BUOYS -> Kind.BUOY;
                };
        return put(kind, NAMESPACE, "touched", WEB);
    }

    private void change() {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        String namespace = "ns-" + random.nextInt(NAMESPACES);
        String name = "one-" + random.nextInt(NAMES);
        if (random.nextInt(6) == 0) {
            Bytes key = Bytes.utf8("/registry/" + kind.directory + "/" + namespace + "/" + name);
            etcd.client().txn(Txn.of(new Op.Delete(key)));
        } else {
            put(kind, namespace, name, TIERS[random.nextInt(TIERS.length)]);
        }
    }

    private long put(Kind kind, String namespace, String name, String tier) {
        return put(
                kind.directory + "/" + namespace + "/" + name,
                """
                {"kind":"%s","apiVersion":"%s","metadata":{"name":"%s","namespace":"%s",\
                "uid":"%s","creationTimestamp":"2026-01-02T03:04:05Z","labels":{"tier":"%s"}},%s}
                """
                        .formatted(
                                kind.kind,
                                kind.version,
                                name,
                                namespace,
                                namespace + "-" + name,
                                tier,
                                kind.content.formatted(written())));
    }

    private long put(String path, String json) {
        return etcd.client().put(Bytes.utf8("/registry/" + path), Bytes.utf8(json));
    }

    /** The template of a written object, with a place for a number. */
    private enum Kind {
        CONFIG_MAP("configmaps", "ConfigMap", "v1", "\"data\":{\"written\":\"%d\"}"),
        POD(
                "pods",
                "Pod",
                "v1",
                """
                "spec":{"containers":[{"name":"main","image":"sea"}]},\
                "status":{"phase":"Running","message":"%d"}\
                """),
        BUOY(GROUP + "/buoys", "Buoy", GROUP + "/v1", "\"spec\":{\"depth\":%d}");

        private final String directory;
        private final String kind;
        private final String version;
        private final String content;

        Kind(String directory, String kind, String version, String content) {
            this.directory = directory;
            this.kind = kind;
            this.version = version;
            this.content = content;
        }
    }
}
