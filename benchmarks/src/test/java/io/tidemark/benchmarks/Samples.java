package io.tidemark.benchmarks;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.util.SplittableRandom;

/** Objects and changes like those of a real cluster. */
final class Samples {
    static final int NODES = 500;
    private static final int APPS = 100;

    private Samples() {}

    static Bytes podKey(int pod) {
        return Bytes.utf8("/registry/pods/ns-%02d/pod-%06d".formatted(pod % 20, pod));
    }

    static String nodeName(int pod) {
        return "node-" + pod % NODES;
    }

    /** A pod's JSON as the API server would serve it, with so many bytes of environment. */
    static Bytes pod(int pod, long revision, int padding) {
        SplittableRandom random = new SplittableRandom(pod);
        StringBuilder env = new StringBuilder(padding);
        for (int i = 0; env.length() < padding; i++) {
            env.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"SETTING_")
                    .append(i)
                    .append("\",\"value\":\"")
                    .append(Long.toHexString(random.nextLong()))
                    .append("\"}");
        }
        return Bytes.utf8(
                """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"pod-%06d","namespace":"ns-%02d",\
                "uid":"%s","resourceVersion":"%d","labels":{"app":"app-%d","tier":"web"}},\
                "spec":{"nodeName":"%s","restartPolicy":"Always","schedulerName":"default-scheduler",\
                "containers":[{"name":"main","image":"example/app:1","env":[%s]}]},\
                "status":{"phase":"Running","podIP":"10.0.%d.%d"}}\
                """
                        .formatted(
                                pod,
                                pod % 20,
                                Long.toHexString(random.nextLong()),
                                revision,
                                pod % APPS,
                                nodeName(pod),
                                env,
                                pod / 250 % 250,
                                pod % 250));
    }

    /** The same with managedFields of two managers, which are most of a cluster's metadata. */
    static Bytes managedPod(int pod, long revision, int padding) {
        StringBuilder managers = new StringBuilder(",\"managedFields\":[");
        for (String manager : new String[] {"kube-controller-manager", "kubelet"}) {
            managers.append(managers.charAt(managers.length() - 1) == '[' ? "" : ",")
                    .append("{\"manager\":\"")
                    .append(manager)
                    .append(
                            "\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
                                + "\"time\":\"2026-11-21T10:00:00Z\",\"fieldsType\":\"FieldsV1\","
                                + "\"fieldsV1\":{");
            for (int i = 0; i < 24; i++) {
                managers.append(i == 0 ? "" : ",")
                        .append("\"f:")
                        .append(manager, 0, 4)
                        .append("Setting")
                        .append(i)
                        .append("\":{\".\":{}}");
            }
            managers.append("}}");
        }
        String labels = ",\"tier\":\"web\"}";
        String json = pod(pod, revision, padding).utf8();
        int end = json.indexOf(labels) + labels.length();
        return Bytes.utf8(json.substring(0, end) + managers.append(']') + json.substring(end));
    }

    static Change.Put put(int pod, long revision, long createRevision, boolean listed, Bytes json) {
        return new Change.Put(
                1,
                revision,
                0,
                podKey(pod),
                json,
                ContentType.KUBERNETES_JSON,
                createRevision,
                1,
                0,
                listed,
                "");
    }

    static Change.TideMark mark(long revision, Change.TideMark.Kind kind) {
        return new Change.TideMark(1, revision, kind, 1, "");
    }
}
