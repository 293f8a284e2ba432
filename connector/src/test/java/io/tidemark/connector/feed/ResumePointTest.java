package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Change.TideMark;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResumePointTest {
    @Test
    void aTopicWithoutRecordsIsEmpty() {
        assertThat(ResumePoint.of(Arrays.asList(null, null), 0, ""))
                .isEqualTo(new ResumePoint.Empty());
    }

    @Test
    void abortedRecordsAloneAreAPartialList() {
        assertThat(ResumePoint.of(Arrays.asList(null, null), 3, ""))
                .isEqualTo(new ResumePoint.Incomplete(3, "the first list was cut off"));
    }

    @Test
    void resumesAtTheLowestMarkOfAllPartitions() {
        List<TideMark> marks = List.of(mark(Kind.PROGRESS, 1, 20), mark(Kind.LIST_END, 1, 10));
        assertThat(ResumePoint.of(marks, 1, "")).isEqualTo(new ResumePoint.At(1, 10, 9));
    }

    @Test
    void aPartitionWithoutMarksOrOfAnotherEpochIsIncomplete() {
        assertThat(ResumePoint.of(Arrays.asList(mark(Kind.PROGRESS, 2, 20), null), 2, ""))
                .isInstanceOf(ResumePoint.Incomplete.class);
        assertThat(
                        ResumePoint.of(
                                List.of(mark(Kind.PROGRESS, 2, 20), mark(Kind.PROGRESS, 1, 20)),
                                2,
                                ""))
                .isInstanceOf(ResumePoint.Incomplete.class);
    }

    @Test
    void anUnfinishedListIsIncomplete() {
        assertThat(ResumePoint.of(List.of(mark(Kind.LIST_BEGIN, 1, 20)), 1, ""))
                .isInstanceOf(ResumePoint.Incomplete.class);
        assertThat(ResumePoint.of(List.of(mark(Kind.PROGRESS, 1, 20)), 4, ""))
                .isEqualTo(new ResumePoint.Incomplete(4, "the list of epoch 4 was cut off"));
    }

    @Test
    void aMirrorOfAnotherScopeIsIncomplete() {
        List<TideMark> marks = List.of(mark(Kind.PROGRESS, 1, 20).withScope("/a/"));
        assertThat(ResumePoint.of(marks, 1, "/a/")).isEqualTo(new ResumePoint.At(1, 20, 9));
        assertThat(ResumePoint.of(marks, 1, "/b/"))
                .isEqualTo(new ResumePoint.Incomplete(1, "it holds /a/, not /b/"));
    }

    @Test
    void countsEpochsOfMarksAndOfAbortedRecords() {
        assertThat(ResumePoint.of(List.of(mark(Kind.PROGRESS, 5, 20)), 4, ""))
                .isEqualTo(new ResumePoint.At(5, 20, 9));
        assertThat(ResumePoint.of(Arrays.asList(null, mark(Kind.PROGRESS, 5, 20)), 4, ""))
                .isEqualTo(new ResumePoint.Incomplete(5, "a partition has no marks"));
    }

    @Test
    void aMarkNeverFalls() {
        ResumePoint.At at = new ResumePoint.At(1, 20, 9);
        assertThat(at.advancedTo(20)).isEqualTo(at);
        assertThat(at.advancedTo(21)).isEqualTo(new ResumePoint.At(1, 21, 9));
        assertThatThrownBy(() -> at.advancedTo(19)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void staysIncompleteForItsFirstReason() {
        ResumePoint cutOff = new ResumePoint.Incomplete(3, "cut off");
        assertThat(cutOff.asIncomplete("lost", 2))
                .isEqualTo(new ResumePoint.Incomplete(5, "cut off"));
    }

    private static TideMark mark(Kind kind, long epoch, long revision) {
        return new TideMark(epoch, revision, kind, 9, "");
    }
}
