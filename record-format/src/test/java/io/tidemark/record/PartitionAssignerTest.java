package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionAssignerTest {
    private final PartitionAssigner eight = new PartitionAssigner(8);

    /** The assignment is public: a change here moves every key of every running mirror. */
    @Test
    void theAssignmentIsPinned() {
        assertThat(eight.partitionOf(Bytes.utf8("123456789"))).isEqualTo(0);
        assertThat(
                        new PartitionAssigner(Integer.MAX_VALUE)
                                .partitionOfDirectory(Bytes.utf8("123456789")))
                .isEqualTo((int) (0xE3069283L % Integer.MAX_VALUE));
    }

    @Test
    void keysOfADirectoryShareAPartition() {
        int pods = eight.partitionOf(Bytes.utf8("/registry/pods/default/a"));
        assertThat(eight.partitionOf(Bytes.utf8("/registry/pods/default/zzz"))).isEqualTo(pods);
        assertThat(eight.partitionOfDirectory(Bytes.utf8("/registry/pods/default/")))
                .isEqualTo(pods);
    }

    @Test
    void spreadsDirectories() {
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            used.add(eight.partitionOf(Bytes.utf8("/registry/pods/ns-" + i + "/x")));
        }
        assertThat(used).hasSize(8);
    }

    @Test
    void aDirectoryEndsWithTheLastSlash() {
        assertThat(PartitionAssigner.directoryOf(Bytes.utf8("/a/b"))).isEqualTo(Bytes.utf8("/a/"));
        assertThat(PartitionAssigner.directoryOf(Bytes.utf8("/a"))).isEqualTo(Bytes.utf8("/"));
        assertThat(PartitionAssigner.directoryOf(Bytes.utf8("a"))).isEqualTo(Bytes.EMPTY);
    }
}
