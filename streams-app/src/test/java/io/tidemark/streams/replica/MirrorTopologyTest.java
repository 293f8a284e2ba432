package io.tidemark.streams.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.group.ReplicaAssignor;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes of two releases are members of one group. Kafka Streams requires the same topology of all
 * of them, finds a store's folder by its name, and loads the assignor by its name.
 */
class MirrorTopologyTest {
    @TempDir private Path folder;

    @Test
    void keepsTheNamesThatOtherReleasesHave() {
        try (RocksMemory memory = new RocksMemory(8 << 20, 8 << 20)) {
            StoreContext context =
                    TestStores.context(
                            StateFolders.of(folder, "app"), memory, InstantSource.system());
            assertThat(MirrorTopology.of("the-topic", context).describe().toString())
                    .isEqualToNormalizingWhitespace(
                            """
                            Topologies:
                               Sub-topology: 0
                                Source: mirror-topic (topics: [the-topic])
                                  --> apply
                                Processor: apply (stores: [mirror])
                                  --> none
                                  <-- mirror-topic
                            """);
        }
        assertThat(ReplicaAssignor.class.getName())
                .isEqualTo("io.tidemark.streams.group.ReplicaAssignor");
    }
}
