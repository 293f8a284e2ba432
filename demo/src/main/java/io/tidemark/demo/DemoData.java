package io.tidemark.demo;

import java.util.List;

/** Names and sizes in the example cluster. */
final class DemoData {
    static final List<String> NAMESPACES =
            List.of(
                    "default",
                    "kube-node-lease",
                    "kube-public",
                    "kube-system",
                    "harbour",
                    "lighthouse",
                    "market",
                    "shipyard");

    /** The first one is the control plane. */
    static final List<String> NODES = List.of("quay-1", "pier-1", "pier-2", "pier-3", "pier-4");

    static final List<App> APPS =
            List.of(
                    new App("kube-system", "coredns", "system", 2, 8080),
                    new App("kube-system", "metrics-server", "system", 2, 10250),
                    new App("kube-system", "ingress-gateway", "system", 4, 8443),
                    new App("default", "welcome", "frontend", 4, 8080),
                    new App("harbour", "pilot-api", "backend", 12, 8080),
                    new App("harbour", "berth-scheduler", "backend", 4, 9090),
                    new App("harbour", "crane-control", "backend", 8, 9090),
                    new App("harbour", "tide-gauge", "data", 5, 7070),
                    new App("harbour", "customs-web", "frontend", 6, 8080),
                    new App("lighthouse", "beacon", "backend", 5, 9090),
                    new App("lighthouse", "radio-gateway", "frontend", 8, 8080),
                    new App("lighthouse", "weather", "data", 12, 7070),
                    new App("lighthouse", "alert-router", "backend", 4, 9090),
                    new App("market", "storefront", "frontend", 14, 8080),
                    new App("market", "cart", "backend", 8, 9090),
                    new App("market", "catalog", "backend", 6, 9090),
                    new App("market", "payments", "backend", 5, 9090),
                    new App("market", "search", "data", 8, 7070),
                    new App("market", "recommendations", "data", 4, 7070),
                    new App("shipyard", "build-runner", "batch", 18, 6060),
                    new App("shipyard", "dry-dock", "backend", 3, 9090),
                    new App("shipyard", "parts-registry", "data", 4, 7070),
                    new App("shipyard", "ci-web", "frontend", 4, 8080));

    static final List<String> VOYAGE_NAMESPACES = List.of("harbour", "lighthouse", "market");

    static final List<String> SHIPS =
            List.of(
                    "albatross",
                    "bluebell",
                    "cormorant",
                    "dunlin",
                    "eider",
                    "fulmar",
                    "gannet",
                    "heron",
                    "islander",
                    "jackdaw",
                    "kittiwake",
                    "linnet",
                    "merganser",
                    "nereid",
                    "osprey",
                    "petrel",
                    "quail",
                    "redshank",
                    "sandpiper",
                    "tern");

    static final List<String> PORTS =
            List.of(
                    "bergen",
                    "bristol",
                    "cork",
                    "gdansk",
                    "hamburg",
                    "lisbon",
                    "oslo",
                    "rotterdam",
                    "tallinn",
                    "vigo");

    private DemoData() {}

    /** A deployment with its service and configuration. */
    record App(String namespace, String name, String tier, int replicas, int port) {
        String image() {
            return "registry.harbour.example/%s/%s:1.%d.0"
                    .formatted(namespace, name, name.length());
        }
    }
}
