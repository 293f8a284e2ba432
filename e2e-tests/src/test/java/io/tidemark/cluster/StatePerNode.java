package io.tidemark.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.ProcessCluster;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures what each of one, two and three nodes stores of the same objects; the table of
 * docs/scaling.md. Not part of a build, because it takes minutes: {@code mvn verify -pl e2e-tests
 * -am -Dsurefire.skip -Dit.test=StatePerNode -Dfailsafe.failIfNoSpecifiedTests=false}, with {@code
 * -Dtidemark.objects=50000} for the number of objects.
 */
class StatePerNode {
    private static final int OBJECTS = Integer.getInteger("tidemark.objects", 50_000);
    private static final int PARTITIONS = 8;
    private static final int PER_TRANSACTION = 100;
    private static final int VALUE_WORDS = 100;

    @TempDir private Path folder;

    @Test
    void measure() throws Exception {
        System.out.println("| nodes | node | active | standby | MiB |");
        for (int nodes = 1; nodes <= 3; nodes++) {
            Path data = folder.resolve("with-" + nodes);
            try (TestEtcd etcd = new TestEtcd(data.resolve("outside"))) {
                long last = write(etcd);
                try (ProcessCluster cluster =
                        ProcessCluster.start(data, etcd.endpoint(), nodes, PARTITIONS)) {
                    cluster.awaitReplicas(PARTITIONS * Math.min(2, nodes));
                    cluster.awaitShown(last);
                    print(cluster, nodes);
                }
            }
        }
    }

    /** About 1.5 KiB each that barely compress: words of hexadecimal digits. */
    private static long write(TestEtcd etcd) {
        SplittableRandom random = new SplittableRandom(5);
        long last = 0;
        for (int i = 0; i < OBJECTS; i += PER_TRANSACTION) {
            Op[] puts = new Op[Math.min(PER_TRANSACTION, OBJECTS - i)];
            for (int j = 0; j < puts.length; j++) {
                StringBuilder value = new StringBuilder();
                for (int word = 0; word < VALUE_WORDS; word++) {
                    value.append(Long.toHexString(random.nextLong())).append(' ');
                }
                String namespace = "ns-" + (i + j) % 200;
                String name = "cm-" + (i + j);
                puts[j] =
                        new Op.Put(
                                TestEtcd.configMapKey(namespace, name),
                                Bytes.utf8(TestEtcd.configMap(namespace, name, value.toString())));
            }
            last = etcd.client().txn(Txn.of(puts)).revision();
        }
        return last;
    }

    /** On disk after all have ended together: ending writes what was still in memory. */
    private static void print(ProcessCluster cluster, int nodes) throws Exception {
        List<String> held = new ArrayList<>();
        for (TidemarkProcess node : cluster.nodes()) {
            held.add(replicas(node));
        }
        cluster.stopNodes();
        for (int i = 0; i < nodes; i++) {
            double size = onDisk(cluster.data(i).resolve("state")) / (double) (1 << 20);
            System.out.println(
                    "| %d | %d | %s | %.1f |".formatted(nodes, i + 1, held.get(i), size));
        }
    }

    private static String replicas(TidemarkProcess asked) throws Exception {
        int active = 0;
        int standby = 0;
        for (JsonNode node : asked.api().list("/cluster").path("nodes")) {
            if (node.path("url").asText().equals(asked.api().url())) {
                for (JsonNode copy : node.path("copies")) {
                    active += copy.path("active").asBoolean() ? 1 : 0;
                    standby += copy.path("active").asBoolean() ? 0 : 1;
                }
            }
        }
        return active + " | " + standby;
    }

    private static long onDisk(Path state) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.toList()) {
                bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
            }
        }
        return bytes;
    }
}
