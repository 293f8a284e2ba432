package io.tidemark.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import io.tidemark.standalone.doctor.Finding.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdCheckIT {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");

    @TempDir Path folder;

    @Test
    void reportsAClustersState() throws Exception {
        String dead = "http://127.0.0.1:" + Ports.pickFree("127.0.0.1");
        try (EtcdProcess etcd =
                        EtcdProcess.start(EtcdBinary.find(), EtcdSettings.forTests(folder));
                EtcdClient client =
                        new EtcdClient(
                                EtcdOptions.of(etcd.endpoint())
                                        .withTimeouts(
                                                Duration.ofSeconds(30), Duration.ofSeconds(30)))) {
            EtcdOptions options =
                    EtcdOptions.of(etcd.endpoint())
                            .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));
            assertThat(new EtcdCheck(options, PREFIX, KubernetesRoots.DEFAULT).run())
                    .filteredOn(finding -> finding.level() != Level.OK)
                    .extracting(Finding::what)
                    .containsExactly("no key begins with '/registry/'");

            for (int i = 0; i < 10; i++) {
                client.put(Bytes.utf8("/registry/pods/a/b"), Bytes.utf8("{}"));
            }
            client.compact(6, true);
            List<Finding> findings = new EtcdCheck(options, PREFIX, KubernetesRoots.DEFAULT).run();
            assertThat(findings).extracting(Finding::level).containsOnly(Level.OK);
            assertThat(findings)
                    .extracting(Finding::what)
                    .anyMatch(what -> what.contains("'/registry/': 1, at revision 11"))
                    .anyMatch(what -> what.contains("compacted through revision 6"));

            client.put(Bytes.utf8("/kubernetes.io/secrets/ns/s"), Bytes.utf8("{}"));
            client.put(Bytes.utf8("/registry/secrets/ns/s"), Bytes.utf8("{}"));
            client.put(Bytes.utf8("/other/x"), Bytes.utf8("{}"));
            assertThat(new EtcdCheck(options, Bytes.utf8("/"), KubernetesRoots.DEFAULT).run())
                    .filteredOn(finding -> finding.level() == Level.WARN)
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.what()).startsWith("'/kubernetes.io/' holds secrets/");
                        assertThat(finding.advice())
                                .contains("--kubernetes-root /registry/,/kubernetes.io/");
                    });
            assertThat(
                            new EtcdCheck(
                                            options,
                                            Bytes.utf8("/"),
                                            KubernetesRoots.of(
                                                    List.of("/registry/", "/kubernetes.io/")))
                                    .run())
                    .extracting(Finding::level)
                    .containsOnly(Level.OK);

            List<Finding> half =
                    new EtcdCheck(
                                    EtcdOptions.of(dead, etcd.endpoint()),
                                    PREFIX,
                                    KubernetesRoots.DEFAULT)
                            .run();
            assertThat(half.getFirst().level()).isEqualTo(Level.FAIL);
            assertThat(half.getFirst().what()).contains(dead);
            assertThat(half.subList(1, half.size()))
                    .extracting(Finding::level)
                    .containsOnly(Level.OK);
        }
        assertThat(new EtcdCheck(EtcdOptions.of(dead), PREFIX, KubernetesRoots.DEFAULT).run())
                .singleElement()
                .satisfies(finding -> assertThat(finding.advice()).contains("Connection refused"));
    }
}
