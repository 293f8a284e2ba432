package io.tidemark.streams.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupCommitsTest {
    private final GroupCommits commits = new GroupCommits();

    @Test
    void limitsAnOffsetToTheLastCommittedRecord() {
        commits.processed(0, 10);
        assertThat(commits.atMost(0, 25)).isEqualTo(10);
        assertThat(commits.atMost(0, 7)).isEqualTo(7);
        assertThat(commits.atMost(1, 25)).isEqualTo(25);
    }

    @Test
    void remembersTheNewestCommit() {
        commits.processed(0, 10);
        commits.processed(0, 4);
        assertThat(commits.atMost(0, 25)).isEqualTo(10);
    }

    /** Streams commits a negative offset for a store of which it knows none. */
    @Test
    void ignoresUnknownOffsets() {
        commits.processed(0, -4);
        assertThat(commits.atMost(0, 25)).isEqualTo(25);
    }
}
