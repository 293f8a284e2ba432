package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.Terminal.Colour;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the document of {@code /cluster} as tables. */
record StatusTables(JsonNode cluster) {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final int UNIT = 1024;

    /** Whether a connector leads and follows etcd, and all partitions can be read. */
    static boolean isHealthy(JsonNode cluster) {
        boolean follows = cluster.path("connector").path("phase").asText().equals("FOLLOWING");
        boolean readable = !cluster.path("partitions").isEmpty();
        for (JsonNode partition : cluster.path("partitions")) {
            readable &= partition.path("readable").asBoolean();
        }
        return follows && readable;
    }

    void print(Terminal terminal) {
        JsonNode connector = cluster.path("connector");
        terminal.line(
                "epoch %s, revision %s, history from %s"
                        .formatted(
                                cluster.path("epoch").asText(),
                                cluster.path("watermark").asText(),
                                cluster.path("floor").asText()));
        terminal.line(
                connector.isObject()
                        ? "connector %s: %s at revision %s, etcd at %s"
                                .formatted(
                                        connector.path("url").asText(),
                                        connector.path("phase").asText().toLowerCase(Locale.ROOT),
                                        connector.path("revision").asText(),
                                        connector.path("etcdRevision").asText())
                        : "connector: none reachable");
        terminal.line(
                cluster.path("whole").asBoolean()
                        ? "whole: every partition has all its replicas"
                        : "not whole: replicas are missing or restoring");
        terminal.line("");
        nodes(terminal);
        reasons(terminal);
        terminal.line("");
        partitions(terminal);
    }

    /** Why nodes are unreachable, for those of which the answering node knows it. */
    private void reasons(Terminal terminal) {
        for (JsonNode node : cluster.path("nodes")) {
            if (node.hasNonNull("reason")) {
                terminal.line(
                        "node %s is unreachable: %s"
                                .formatted(
                                        node.path("node").asText(), node.path("reason").asText()));
            }
        }
    }

    private void nodes(Terminal terminal) {
        TableText table =
                new TableText(
                        List.of("node", "url", "phase", "active", "standby", "watches", "size"));
        for (JsonNode node : cluster.path("nodes")) {
            if (!node.path("reachable").asBoolean()) {
                table.add(Colour.DELETED, List.of(node.path("node").asText(), "", "unreachable"));
                continue;
            }
            int active = 0;
            int replicas = 0;
            for (JsonNode replica : node.path("copies")) {
                active += replica.path("active").asBoolean() ? 1 : 0;
                replicas++;
            }
            table.add(
                    Colour.NONE,
                    List.of(
                            node.path("node").asText(),
                            node.path("url").asText(),
                            node.path("phase").asText().toLowerCase(Locale.ROOT),
                            Integer.toString(active),
                            Integer.toString(replicas - active),
                            node.path("watches").asText(),
                            bytes(node.path("bytes").asLong())));
        }
        table.print(terminal);
    }

    private void partitions(Terminal terminal) {
        TableText table =
                new TableText(
                        List.of(
                                "partition",
                                "active",
                                "standby",
                                "revision",
                                "floor",
                                "lag",
                                "age",
                                "size"));
        for (JsonNode partition : cluster.path("partitions")) {
            List<String> standbys = new ArrayList<>();
            partition.path("standbys").forEach(each -> standbys.add(each.asText()));
            boolean readable = partition.path("readable").asBoolean();
            table.add(
                    readable ? Colour.NONE : Colour.DELETED,
                    List.of(
                            partition.path("partition").asText(),
                            partition.path("active").asText(),
                            String.join(",", standbys),
                            readable ? partition.path("watermark").asText() : "unreadable",
                            partition.path("floor").asText(),
                            partition.path("lagRevisions").asText(),
                            readable ? seconds(partition.path("lagMillis").asLong()) : "",
                            readable ? bytes(partition.path("bytes").asLong()) : ""));
        }
        table.print(terminal);
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }

    static String bytes(long bytes) {
        double left = bytes;
        int unit = 0;
        while (left >= UNIT && unit < UNITS.size() - 1) {
            left /= UNIT;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", left, UNITS.get(unit));
    }
}
