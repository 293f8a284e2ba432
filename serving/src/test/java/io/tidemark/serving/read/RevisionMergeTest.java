package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionMergeTest {
    private static ObjectChange change(long revision, int index) {
        return new ObjectChange(revision, index, Bytes.EMPTY, null, null);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144})
    void mergesLikeSorting(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int sources = random.nextInt(1, 6);
        List<List<ObjectChange>> parts = new ArrayList<>();
        for (int s = 0; s < sources; s++) {
            parts.add(new ArrayList<>());
        }
        long last = random.nextLong(50, 400);
        List<ObjectChange> all = new ArrayList<>();
        for (long revision = 11; revision <= last; revision++) {
            int changes = random.nextInt(4);
            for (int index = 0; index < changes; index++) {
                ObjectChange change = change(revision, index);
                all.add(change);
                parts.get(random.nextInt(sources)).add(change);
            }
        }
        assertThat(merged(random, parts, last)).isEqualTo(all);
        assertThat(all)
                .isSortedAccordingTo(
                        Comparator.comparingLong(ObjectChange::revision)
                                .thenComparingInt(ObjectChange::index));
    }

    private static List<ObjectChange> merged(
            SplittableRandom random, List<List<ObjectChange>> parts, long last) {
        RevisionMerge merge = new RevisionMerge(parts.size(), 10);
        List<ObjectChange> out = new ArrayList<>();
        ChangePosition before = merge.through();
        while (merge.through().wholeRevision() < last) {
            int source = random.nextInt(parts.size());
            ChangePosition from = merge.through(source);
            ChangePosition through = later(random, from, last);
            List<ObjectChange> page =
                    parts.get(source).stream()
                            .filter(c -> !from.covers(c) && through.covers(c))
                            .toList();
            merge.add(source, new ChangePage(page, through));
            List<ObjectChange> drained = merge.drain();
            ChangePosition previous = before;
            ChangePosition now = merge.through();
            assertThat(drained).allMatch(c -> !previous.covers(c) && now.covers(c));
            before = now;
            out.addAll(drained);
        }
        return out;
    }

    /** A later position, often inside a revision. */
    private static ChangePosition later(SplittableRandom random, ChangePosition from, long last) {
        long revision = Math.min(last, from.revision() + random.nextLong(20));
        ChangePosition later =
                random.nextBoolean()
                        ? ChangePosition.endOf(revision)
                        : new ChangePosition(revision, random.nextInt(4));
        return later.compareTo(from) < 0 ? from : later;
    }

    @Test
    void failsWhenASourceGoesBackOrRepeats() {
        RevisionMerge merge = new RevisionMerge(1, 10);
        merge.add(0, new ChangePage(List.of(change(12, 0)), 12));
        assertThatThrownBy(() -> merge.add(0, new ChangePage(List.of(), 11)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> merge.add(0, new ChangePage(List.of(change(12, 1)), 13)))
                .isInstanceOf(IllegalStateException.class);
    }
}
