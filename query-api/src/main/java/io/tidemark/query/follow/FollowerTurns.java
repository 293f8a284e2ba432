package io.tidemark.query.follow;

import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of a follower, without a thread. A turn is due whenever one of its partitions has
 * advanced, and after {@link #POLL_MILLIS} in any case, as a partition may move between replicas.
 * For one thread.
 */
public final class FollowerTurns implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerTurns.class);

    /** The longest time from one turn to the next. */
    public static final long POLL_MILLIS = 1000;

    private final String name;
    private final PartitionDirectory directory;
    private final DirectoryFollower follower;
    private final Runnable step;
    private final Runnable wake;
    private final Map<Integer, Subscribed> subscribed = new HashMap<>();

    private record Subscribed(PartitionView view, Subscription subscription) {}

    /**
     * @param name for the log
     * @param step calls {@link DirectoryFollower#step} of the follower
     * @param wake asks for a turn; on any thread, and it must be quick
     */
    public FollowerTurns(
            String name,
            PartitionDirectory directory,
            DirectoryFollower follower,
            Runnable step,
            Runnable wake) {
        this.name = name;
        this.directory = directory;
        this.follower = follower;
        this.step = step;
        this.wake = wake;
    }

    /**
     * Does one turn. A failure of it is only logged: what is followed would stay as it is for ever
     * if it ended the turns.
     */
    public void turn() {
        try {
            // Before the step: an advance after it asks for another turn.
            subscribe(follower.partitions());
            step.run();
        } catch (RuntimeException e) {
            LOG.error("{} failed; trying again", name, e);
        }
    }

    /** Ends the calls of {@code wake}. */
    @Override
    public void close() {
        subscribed.values().forEach(each -> each.subscription().close());
        subscribed.clear();
    }

    private void subscribe(List<Integer> partitions) {
        for (int partition : partitions) {
            PartitionView view = directory.view(partition);
            @Nullable Subscribed before = subscribed.get(partition);
            if (before == null || before.view() != view) {
                subscribed.put(partition, new Subscribed(view, view.onChange(wake)));
                if (before != null) {
                    before.subscription().close();
                }
            }
        }
    }
}
