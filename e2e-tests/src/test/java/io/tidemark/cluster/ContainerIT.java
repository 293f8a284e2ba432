package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.kafka.KafkaContainer;

/** The main job on another broker: Apache's image, in a container. */
class ContainerIT {
    private static final String IMAGE = "apache/kafka:4.3.1";

    @TempDir private Path folder;

    @BeforeEach
    void needsAnEngine() {
        assumeTrue(
                DockerClientFactory.instance().isDockerAvailable(),
                "needs a running Docker engine, for " + IMAGE);
    }

    private static void startOrSkip(KafkaContainer kafka) {
        try {
            kafka.start();
        } catch (ContainerFetchException e) {
            abort("needs the image " + IMAGE + ", which cannot be fetched: " + e);
        }
    }

    @Test
    void theMirrorOnABrokerInAContainerIsServedAndResumed() throws Exception {
        try (KafkaContainer kafka =
                        new KafkaContainer(IMAGE)
                                .withEnv("KAFKA_MESSAGE_MAX_BYTES", Integer.toString(9 << 20));
                TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            startOrSkip(kafka);
            etcd.putConfigMaps(1_000, "first");
            String broker = kafka.getBootstrapServers();
            String resumeFrom;
            try (TidemarkProcess tidemark =
                    TidemarkProcess.up(folder.resolve("one"), etcd.endpoint(), "--kafka", broker)) {
                JsonNode all = tidemark.api().list("/api/v1/configmaps");
                assertThat(all.path("items")).hasSize(1_000);
                resumeFrom = Api.resourceVersion(all);
                assertThat(tidemark.stop()).isZero();
            }
            long changed = etcd.putConfigMap("ns-0", "cm-0", "changed");

            // Another folder: the state is rebuilt from the topic, history included.
            try (TidemarkProcess tidemark =
                            TidemarkProcess.up(
                                    folder.resolve("two"), etcd.endpoint(), "--kafka", broker);
                    Api.WatchStream watch =
                            tidemark.api()
                                    .watch(
                                            "/api/v1/configmaps?watch=true&timeoutSeconds=10"
                                                    + "&resourceVersion="
                                                    + resumeFrom)) {
                JsonNode metadata = watch.next().path("object").path("metadata");
                assertThat(metadata.path("resourceVersion").asLong()).isEqualTo(changed);
                assertThat(tidemark.api().keys("registry/")).isEqualTo(etcd.keys("/registry/"));
            }
        }
    }
}
