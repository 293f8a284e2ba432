package io.tidemark.benchmarks;

import io.tidemark.bench.content.ProtobufWriter;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Values as an API server stores them, written by field numbers, as the benchmarks need only a few
 * message types and no schema library.
 */
final class StoredValues {
    private static final int CONTAINERS = 3;

    private StoredValues() {}

    /** A pod of three containers with managedFields of three managers. */
    static byte[] pod() {
        ProtobufWriter spec = new ProtobufWriter();
        for (int i = 0; i < CONTAINERS; i++) {
            spec.message(2, container(i));
        }
        spec.text(3, "Always").number(4, 30).text(6, "ClusterFirst").text(8, "default");
        spec.text(10, "node-0042.example.com").text(19, "default-scheduler");
        ProtobufWriter status =
                new ProtobufWriter().text(1, "Running").text(5, "10.0.4.7").text(6, "10.1.2.3");
        for (int i = 0; i < CONTAINERS; i++) {
            status.message(2, condition(i)).message(8, containerStatus(i));
        }
        ProtobufWriter pod =
                new ProtobufWriter().message(1, metadata(3)).message(2, spec).message(3, status);
        return ProtobufWriter.stored("v1", "Pod", pod);
    }

    static byte[] configMap() {
        ProtobufWriter map = new ProtobufWriter().message(1, metadata(1));
        for (int i = 0; i < 8; i++) {
            map.entry(2, "setting-" + i, "a value with \"quotes\" and <angles>, number " + i);
        }
        return ProtobufWriter.stored("v1", "ConfigMap", map);
    }

    static byte[] customResource() {
        return """
        {"apiVersion":"example.com/v1","kind":"Widget","metadata":{\
        "creationTimestamp":"2026-01-01T00:00:00Z","generation":3,"labels":{"app":"shop"},\
        "managedFields":[{"apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":\
        {"f:spec":{".":{},"f:nested":{".":{},"f:a":{}},"f:size":{},"f:tags":{}}},\
        "manager":"controller","operation":"Update","time":"2026-01-01T00:00:00Z"}],\
        "name":"widget-0","namespace":"shop","uid":"00000000-0000-0000-0000-000000000000"},\
        "spec":{"nested":{"a":[1,2.5,null,true,"text"]},"size":10,"tags":["a","b"],\
        "dropped":{"x":1}},"status":{"count":1,"phase":"Ready"}}\
        """
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The definition of {@link #customResource}: prunes one member and sets one default. */
    static Bytes definition() {
        return Bytes.utf8(
                """
                {"spec":{"group":"example.com","names":{"kind":"Widget"},"versions":[{"name":"v1",\
                "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",\
                "properties":{"nested":{"type":"object",\
                "x-kubernetes-preserve-unknown-fields":true},"size":{"type":"integer"},\
                "tags":{"type":"array","items":{"type":"string"}},\
                "tier":{"type":"string","default":"silver"}}},"status":{"type":"object",\
                "x-kubernetes-preserve-unknown-fields":true}}}}}]}}\
                """);
    }

    private static ProtobufWriter metadata(int managers) {
        ProtobufWriter metadata =
                new ProtobufWriter()
                        .text(1, "shop-7d4b9c6f5-x2x9k")
                        .text(2, "")
                        .text(3, "shop")
                        .text(4, "")
                        .text(5, "00000000-0000-0000-0000-000000000000")
                        .text(6, "")
                        .number(7, 0)
                        .message(8, time());
        for (int i = 0; i < 6; i++) {
            metadata.entry(11, "app.kubernetes.io/label-" + i, "value-" + i);
        }
        for (int i = 0; i < managers; i++) {
            String fields =
                    "{\"f:spec\":{" + fieldSet(40) + "},\"f:status\":{" + fieldSet(10) + "}}";
            metadata.message(
                    17,
                    new ProtobufWriter()
                            .text(1, "manager-" + i)
                            .text(2, "Update")
                            .text(3, "v1")
                            .message(4, time())
                            .text(6, "FieldsV1")
                            .message(7, new ProtobufWriter().text(1, fields))
                            .text(8, ""));
        }
        return metadata;
    }

    private static String fieldSet(int fields) {
        StringBuilder set = new StringBuilder("\".\":{}");
        for (int i = 0; i < fields; i++) {
            set.append(",\"k:{\\\"name\\\":\\\"field-").append(i).append("\\\"}\":{}");
        }
        return set.toString();
    }

    private static ProtobufWriter container(int number) {
        ProtobufWriter container =
                new ProtobufWriter()
                        .text(1, "container-" + number)
                        .text(2, "registry.example.com/shop/service:v1.2." + number)
                        .text(5, "");
        for (int i = 0; i < 10; i++) {
            container.message(
                    7,
                    new ProtobufWriter()
                            .text(1, "VARIABLE_" + i)
                            .text(2, "the value of variable " + i));
        }
        ProtobufWriter resources =
                new ProtobufWriter().quantity(1, "cpu", "500m").quantity(1, "memory", "256Mi");
        container.message(8, resources);
        for (int i = 0; i < 3; i++) {
            container.message(
                    9,
                    new ProtobufWriter()
                            .text(1, "volume-" + i)
                            .number(2, 0)
                            .text(3, "/var/lib/volume-" + i)
                            .text(4, ""));
        }
        return container.text(13, "/dev/termination-log").text(14, "Always").text(20, "File");
    }

    private static ProtobufWriter condition(int number) {
        return new ProtobufWriter()
                .text(1, "Condition" + number)
                .text(2, "True")
                .message(3, new ProtobufWriter())
                .message(4, time())
                .text(5, "")
                .text(6, "");
    }

    private static ProtobufWriter containerStatus(int number) {
        ProtobufWriter running =
                new ProtobufWriter().message(2, new ProtobufWriter().message(1, time()));
        return new ProtobufWriter()
                .text(1, "container-" + number)
                .message(2, running)
                .message(3, new ProtobufWriter())
                .number(4, 1)
                .number(5, 0)
                .text(6, "registry.example.com/shop/service:v1.2." + number)
                .text(7, "registry.example.com/shop/service@sha256:" + "0123456789abcdef".repeat(4))
                .text(8, "containerd://" + "0123456789abcdef".repeat(4));
    }

    private static ProtobufWriter time() {
        return new ProtobufWriter().number(1, 1_790_000_000).number(2, 0);
    }
}
