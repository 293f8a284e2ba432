package io.tidemark.bench.content;

import io.tidemark.record.Bytes;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * The pods of a measurement, each made from its number: stored as protobuf under the keys that an
 * API server uses, about 10.8 KB each as JSON, with managedFields, environment, volumes and
 * conditions, so that compression and field selectors meet what real clusters hold.
 *
 * @param prefix etcd's prefix of the cluster, such as {@code /registry/}
 * @param count pods
 * @param namespaces over which they are spread
 * @param nodes over which they are spread
 */
public record Pods(String prefix, int count, int namespaces, int nodes) {
    /** Pods with the same value of the label {@code app}. */
    private static final int PER_APP = 100;

    private static final String NAMESPACES = "bench-";
    private static final int CONTAINERS = 2;
    private static final int VARIABLES = 22;
    private static final int VOLUMES = 5;

    public Pods {
        if (count < 1 || namespaces < 1 || nodes < 1) {
            throw new IllegalArgumentException(
                    "needs at least one pod, namespace and node: %d, %d, %d"
                            .formatted(count, namespaces, nodes));
        }
    }

    public String namespace(int number) {
        return NAMESPACES + number % namespaces;
    }

    public String node(int number) {
        return "node-" + number % nodes;
    }

    public String app(int number) {
        return "app-" + number / PER_APP;
    }

    public String name(int number) {
        return app(number) + "-" + Integer.toHexString(number * 0x9e3779b1) + "-" + number;
    }

    public Bytes key(int number) {
        return Bytes.utf8(prefix + "pods/" + namespace(number) + "/" + name(number));
    }

    /** With which all keys begin. */
    Bytes keyPrefix() {
        return Bytes.utf8(prefix + "pods/" + NAMESPACES);
    }

    /**
     * The stored pod.
     *
     * @param generation changes with every write
     */
    public Bytes value(int number, long generation) {
        SplittableRandom random = new SplittableRandom(number);
        ProtobufWriter spec = new ProtobufWriter();
        for (int i = 0; i < VOLUMES; i++) {
            spec.message(1, volume(i));
        }
        for (int i = 0; i < CONTAINERS; i++) {
            spec.message(2, container(number, i, random));
        }
        spec.text(3, "Always").number(4, 30).text(6, "ClusterFirst").text(8, "default");
        spec.text(10, node(number)).text(19, "default-scheduler");
        String podIp = "10.%d.%d.%d".formatted(number >> 16, number >> 8 & 255, number & 255);
        ProtobufWriter status =
                new ProtobufWriter().text(1, "Running").text(5, "10.0.4.7").text(6, podIp);
        for (String type :
                new String[] {
                    "PodReadyToStartContainers",
                    "Initialized",
                    "Ready",
                    "ContainersReady",
                    "PodScheduled"
                }) {
            status.message(2, condition(type));
        }
        for (int i = 0; i < CONTAINERS; i++) {
            status.message(8, containerStatus(number, i, random));
        }
        ProtobufWriter pod =
                new ProtobufWriter()
                        .message(1, metadata(number, generation, random))
                        .message(2, spec)
                        .message(3, status);
        return Bytes.wrap(ProtobufWriter.stored("v1", "Pod", pod));
    }

    private ProtobufWriter metadata(int number, long generation, SplittableRandom random) {
        UUID uid = new UUID(random.nextLong(), random.nextLong());
        ProtobufWriter metadata =
                new ProtobufWriter()
                        .text(1, name(number))
                        .text(2, app(number) + "-")
                        .text(3, namespace(number))
                        .text(4, "")
                        .text(5, uid.toString())
                        .text(6, "")
                        .number(7, 0)
                        .message(8, time(number));
        metadata.entry(11, "app", app(number))
                .entry(11, "app.kubernetes.io/part-of", "bench")
                .entry(11, "pod-template-hash", Long.toHexString(random.nextLong()))
                .entry(12, "bench.tidemark.io/generation", Long.toString(generation));
        metadata.message(17, managed("kube-controller-manager", spec(), number));
        metadata.message(17, managed("kubelet", status(), number));
        return metadata;
    }

    private static ProtobufWriter managed(String manager, String fields, int number) {
        return new ProtobufWriter()
                .text(1, manager)
                .text(2, "Update")
                .text(3, "v1")
                .message(4, time(number))
                .text(6, "FieldsV1")
                .message(7, new ProtobufWriter().text(1, fields))
                .text(8, "");
    }

    private static String spec() {
        StringBuilder fields =
                new StringBuilder("{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:app\":{}}},")
                        .append("\"f:spec\":{\"f:containers\":{");
        for (int i = 0; i < CONTAINERS; i++) {
            fields.append(i == 0 ? "" : ",")
                    .append("\"k:{\\\"name\\\":\\\"container-")
                    .append(i)
                    .append("\\\"}\":{\".\":{},\"f:env\":{\".\":{}");
            for (int variable = 0; variable < VARIABLES; variable++) {
                fields.append(",\"k:{\\\"name\\\":\\\"VARIABLE_")
                        .append(variable)
                        .append("\\\"}\":{\".\":{},\"f:name\":{},\"f:value\":{}}");
            }
            fields.append("},\"f:image\":{},\"f:name\":{},\"f:resources\":{}}");
        }
        return fields.append("},\"f:restartPolicy\":{},\"f:schedulerName\":{}}}").toString();
    }

    private static String status() {
        StringBuilder fields = new StringBuilder("{\"f:status\":{\"f:conditions\":{\".\":{}");
        for (String type : new String[] {"ContainersReady", "Initialized", "Ready"}) {
            fields.append(",\"k:{\\\"type\\\":\\\"")
                    .append(type)
                    .append("\\\"}\":{\".\":{},\"f:lastProbeTime\":{},\"f:status\":{}}");
        }
        return fields.append("},\"f:hostIP\":{},\"f:phase\":{},\"f:podIP\":{}}}").toString();
    }

    private static ProtobufWriter volume(int number) {
        ProtobufWriter source =
                new ProtobufWriter()
                        .message(
                                19,
                                new ProtobufWriter()
                                        .message(
                                                1,
                                                new ProtobufWriter().text(1, "settings-" + number))
                                        .number(3, 420));
        return new ProtobufWriter().text(1, "volume-" + number).message(2, source);
    }

    private ProtobufWriter container(int pod, int number, SplittableRandom random) {
        ProtobufWriter container =
                new ProtobufWriter()
                        .text(1, "container-" + number)
                        .text(2, image(pod, number))
                        .text(5, "");
        for (int i = 0; i < VARIABLES; i++) {
            container.message(
                    7,
                    new ProtobufWriter()
                            .text(1, "VARIABLE_" + i)
                            .text(
                                    2,
                                    "the value of variable %d is %x"
                                            .formatted(i, random.nextLong())));
        }
        container.message(
                8,
                new ProtobufWriter()
                        .quantity(1, "cpu", "500m")
                        .quantity(1, "memory", "256Mi")
                        .quantity(2, "cpu", "100m")
                        .quantity(2, "memory", "128Mi"));
        for (int i = 0; i < VOLUMES; i++) {
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

    private String image(int pod, int container) {
        return "registry.example.com/%s/service-%d:v1.2.%d".formatted(app(pod), container, pod % 7);
    }

    private ProtobufWriter containerStatus(int pod, int number, SplittableRandom random) {
        String digest = "%016x".formatted(random.nextLong()).repeat(4);
        ProtobufWriter running =
                new ProtobufWriter().message(2, new ProtobufWriter().message(1, time(pod)));
        return new ProtobufWriter()
                .text(1, "container-" + number)
                .message(2, running)
                .message(3, new ProtobufWriter())
                .number(4, 1)
                .number(5, 0)
                .text(6, image(pod, number))
                .text(7, "registry.example.com/service@sha256:" + digest)
                .text(8, "containerd://" + digest);
    }

    private static ProtobufWriter condition(String type) {
        return new ProtobufWriter()
                .text(1, type)
                .text(2, "True")
                .message(3, new ProtobufWriter())
                .message(4, time(0))
                .text(5, "")
                .text(6, "");
    }

    private static ProtobufWriter time(int offsetSeconds) {
        return new ProtobufWriter().number(1, 1_790_000_000L + offsetSeconds).number(2, 0);
    }
}
