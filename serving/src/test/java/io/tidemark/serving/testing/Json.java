package io.tidemark.serving.testing;

import java.util.Map;
import java.util.stream.Collectors;

/** Objects as compact JSON, as they are mirrored. */
public final class Json {
    private Json() {}

    public static String pod(
            String namespace, String name, long revision, Map<String, String> labels, String node) {
        return pod(namespace, name, revision, labels, node, "");
    }

    /**
     * @param note any text, to set the size of the pod
     */
    public static String pod(
            String namespace,
            String name,
            long revision,
            Map<String, String> labels,
            String node,
            String note) {
        String written =
                labels.entrySet().stream()
                        .map(label -> "\"%s\":\"%s\"".formatted(label.getKey(), label.getValue()))
                        .sorted()
                        .collect(Collectors.joining(","));
        return ("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\","
                        + "\"namespace\":\"%s\",\"labels\":{%s},\"resourceVersion\":\"%d\"},"
                        + "\"spec\":{\"nodeName\":\"%s\",\"note\":\"%s\"}}")
                .formatted(name, namespace, written, revision, node, note);
    }

    public static String node(String name, long revision) {
        return ("{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\","
                        + "\"resourceVersion\":\"%d\"}}")
                .formatted(name, revision);
    }
}
