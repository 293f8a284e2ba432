package io.tidemark.serving.read;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the changes of some partitions in revision order, from a cursor on. Between pages it holds
 * only changes that wait for a slower partition: at most one page of each. For one thread.
 */
public final class MergedChanges {
    private final ClusterView view;
    private final PartitionSet partitions;
    private final Bytes prefix;
    private final long epoch;
    private final PageLimits limits;
    private final Projection projection;
    private final RevisionMerge merge;
    private final Bytes directory;

    /**
     * @param directory name of the directories of the keys; empty for all. Others may come too
     */
    MergedChanges(
            ClusterView view,
            PartitionSet partitions,
            Bytes prefix,
            long epoch,
            ChangePosition after,
            PageLimits limits,
            Projection projection,
            Bytes directory) {
        this.directory = directory;
        this.view = view;
        this.partitions = partitions;
        this.prefix = prefix;
        this.epoch = epoch;
        this.limits = limits;
        this.projection = projection;
        this.merge = new RevisionMerge(partitions.size(), after);
    }

    /** The cursor: every change at or before it has been returned. */
    public ChangePosition through() {
        return merge.through();
    }

    /**
     * The next page, at or below a revision that all partitions have reached. May end inside a
     * revision.
     *
     * @throws RevisionExpiredException when the floor has passed the cursor, or the history was
     *     replaced
     */
    public ChangePage next(long throughRevision) throws InterruptedException {
        return next(throughRevision, limits);
    }

    /**
     * Like {@link #next(long)}, with another page size.
     *
     * @param page page size of each partition for this call
     */
    public ChangePage next(long throughRevision, PageLimits page) throws InterruptedException {
        if (merge.through().wholeRevision() < throughRevision) {
            ask(throughRevision, page);
        }
        return new ChangePage(merge.drain(), merge.through());
    }

    /** Reads the partitions that lag the furthest, except those without changes. */
    private void ask(long throughRevision, PageLimits page) throws InterruptedException {
        ChangePosition behind = merge.through();
        ChangesRequest request =
                new ChangesRequest(
                        prefix,
                        behind,
                        throughRevision,
                        page.entries(),
                        page.bytes(),
                        projection,
                        directory);
        List<Integer> changed = new ArrayList<>();
        for (int i = 0; i < partitions.size(); i++) {
            if (merge.through(i).compareTo(behind) > 0) {
                continue;
            }
            if (view.hasNoChanges(partitions.at(i), epoch, request)) {
                merge.add(i, new ChangePage(List.of(), throughRevision));
            } else {
                changed.add(i);
            }
        }
        List<ChangePage> pages =
                view.changePages(changed.stream().map(partitions::at).toList(), epoch, request);
        for (int i = 0; i < pages.size(); i++) {
            merge.add(changed.get(i), pages.get(i));
        }
    }
}
