package io.tidemark.bench.load;

import io.tidemark.bench.content.Pods;
import io.tidemark.bench.http.Request;
import io.tidemark.bench.start.StartedServers;
import io.tidemark.etcd.EtcdClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The workloads of a run. Those that write need etcd, and are left out without it. */
public final class Workloads {
    private static final String METADATA =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    private static final String TABLE =
            "application/json;as=Table;g=meta.k8s.io;v=v1,application/json";

    private Workloads() {}

    /**
     * How much of each.
     *
     * @param duration of one turn of a workload with a duration
     * @param watchers of the fan-out, and idle ones
     * @param filteredWatchers of one node's pods each
     * @param ingestWrites writes, and events to replay
     */
    public record Amounts(
            Duration duration, int watchers, int filteredWatchers, int ingestWrites) {}

    /** In the order in which they run. */
    public static List<Workload> of(Pods pods, @Nullable EtcdClient etcd, Amounts amounts) {
        List<Workload> all = new ArrayList<>();
        Duration duration = amounts.duration();
        String namespace = "/api/v1/namespaces/" + pods.namespace(0) + "/pods";
        Function<SplittableRandom, Request> everything = _ -> Request.of("/api/v1/pods");
        all.add(new RequestLoad("list", "LIST of all pods, 1 client", 1, everything, duration));
        all.add(new RequestLoad("list-8", "LIST of all pods, 8 clients", 8, everything, duration));
        all.add(
                new RequestLoad(
                        "protobuf",
                        "LIST of all pods in protobuf",
                        1,
                        _ -> Request.of("/api/v1/pods").inProtobuf(),
                        duration));
        all.add(
                new RequestLoad(
                        "gzip",
                        "LIST of all pods, gzip",
                        1,
                        _ -> new Request("/api/v1/pods", "", true),
                        duration));
        all.add(
                new RequestLoad(
                        "gzip-protobuf",
                        "LIST of all pods in protobuf, gzip, as client-go asks",
                        1,
                        _ -> new Request("/api/v1/pods", "", true).inProtobuf(),
                        duration));
        all.add(
                new RequestLoad(
                        "namespace",
                        "LIST of a namespace",
                        1,
                        _ -> Request.of(namespace),
                        duration));
        all.add(
                new RequestLoad(
                        "page",
                        "LIST, first page of 500",
                        1,
                        _ -> Request.of("/api/v1/pods?limit=500"),
                        duration));
        all.add(
                new RequestLoad(
                        "metadata",
                        "LIST of all pods' metadata",
                        1,
                        _ -> new Request("/api/v1/pods", METADATA, false),
                        duration));
        all.add(
                new RequestLoad(
                        "table",
                        "Table of a namespace",
                        1,
                        _ -> new Request(namespace, TABLE, false),
                        duration));
        all.add(
                new RequestLoad(
                        "label",
                        "LIST by a label of 100 pods",
                        1,
                        random ->
                                Request.of("/api/v1/pods")
                                        .with(
                                                "labelSelector",
                                                "app=" + pods.app(any(pods, random))),
                        duration));
        all.add(
                new RequestLoad(
                        "shard",
                        "LIST of a shard, a quarter of all pods",
                        1,
                        random -> Request.of("/api/v1/pods").with("shardSelector", quarter(random)),
                        duration));
        all.add(
                new RequestLoad(
                        "node",
                        "LIST by spec.nodeName",
                        1,
                        random ->
                                Request.of("/api/v1/pods")
                                        .with(
                                                "fieldSelector",
                                                "spec.nodeName=" + pods.node(any(pods, random))),
                        duration));
        Function<SplittableRandom, Request> getCached =
                random -> Request.of(path(pods, any(pods, random)) + "?resourceVersion=0");
        all.add(
                new RequestLoad(
                        "get-cached-1",
                        "GET with resourceVersion=0, 1 client",
                        1,
                        getCached,
                        duration));
        all.add(
                new RequestLoad(
                        "get",
                        "GET of a pod, 16 clients",
                        16,
                        random -> Request.of(path(pods, any(pods, random))),
                        duration));
        all.add(
                new RequestLoad(
                        "get-cached",
                        "GET with resourceVersion=0, 16 clients",
                        16,
                        getCached,
                        duration));
        all.add(new RestLoad("rest", "no clients, no writes", duration));
        int idle = amounts.watchers();
        all.add(new IdleLoad("idle", "%,d idle watches".formatted(idle), idle, duration));
        if (etcd != null) {
            addWriting(all, pods, etcd, amounts);
        }
        return all;
    }

    /**
     * Those that start servers, in the order in which they run: the first leaves the data that the
     * others start on. Each is followed by one LIST of all pods.
     */
    public static List<Workload> ofStarts(StartedServers servers) {
        List<Workload> all = new ArrayList<>();
        for (StartLoad.Keep keep : StartLoad.Keep.values()) {
            if (servers.all().stream().anyMatch(keep::isPossible)) {
                all.add(new StartLoad(keep, servers));
            }
        }
        return all;
    }

    private static void addWriting(
            List<Workload> all, Pods pods, EtcdClient etcd, Amounts amounts) {
        Duration duration = amounts.duration();
        int watchers = amounts.watchers();
        int filtered = amounts.filteredWatchers();
        all.add(
                new WatchLoad(
                        "watch",
                        "1 watch, 100 writes/s",
                        "write",
                        pods,
                        etcd,
                        1,
                        false,
                        false,
                        0,
                        100,
                        duration));
        all.add(
                new WatchLoad(
                        "fan-out",
                        "%,d watches of all pods, 20 writes/s".formatted(watchers),
                        "delivery",
                        pods,
                        etcd,
                        watchers,
                        false,
                        false,
                        0,
                        20,
                        duration));
        all.add(
                new WatchLoad(
                        "fan-out-protobuf",
                        "the same in protobuf",
                        "delivery",
                        pods,
                        etcd,
                        watchers,
                        false,
                        true,
                        0,
                        20,
                        duration));
        all.add(
                new WatchLoad(
                        "stalled",
                        "%,d watches of all pods beside one that never reads".formatted(watchers),
                        "delivery",
                        pods,
                        etcd,
                        watchers,
                        false,
                        false,
                        1,
                        20,
                        duration));
        all.add(
                new WatchLoad(
                        "filtered",
                        "%,d watches by spec.nodeName, 100 writes/s".formatted(filtered),
                        "delivery",
                        pods,
                        etcd,
                        filtered,
                        true,
                        false,
                        0,
                        100,
                        duration));
        all.add(
                new IngestLoad(
                        "ingest",
                        "%,d writes as fast as etcd takes them".formatted(amounts.ingestWrites()),
                        pods,
                        etcd,
                        amounts.ingestWrites()));
        all.add(
                new ReplayLoad(
                        "replay",
                        "1 watch, %,d events behind".formatted(amounts.ingestWrites()),
                        pods,
                        etcd,
                        1,
                        amounts.ingestWrites()));
        all.add(
                new ReplayLoad(
                        "replay-50",
                        "50 watches, %,d events behind".formatted(amounts.ingestWrites()),
                        pods,
                        etcd,
                        50,
                        amounts.ingestWrites()));
    }

    private static int any(Pods pods, SplittableRandom random) {
        return random.nextInt(pods.count());
    }

    /** One of four ranges that together hold all hashes of uids. */
    private static String quarter(SplittableRandom random) {
        int number = random.nextInt(4);
        return "shardRange(object.metadata.uid, '0x%x000000000000000', '0x%x000000000000000')"
                .formatted(4 * number, 4 * number + 4);
    }

    private static String path(Pods pods, int number) {
        return "/api/v1/namespaces/" + pods.namespace(number) + "/pods/" + pods.name(number);
    }
}
