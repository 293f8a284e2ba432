package io.tidemark.query.follow;

import io.tidemark.query.follow.FollowedKeys.TooMuchException;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.view.PartitionDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the objects of some scopes of keys up to date, over all partitions that hold them. It lists
 * them at one revision, then reads their changes through the lowest watermark of these partitions.
 * So after each step its content is the state at one revision. A mixture of two revisions could
 * show rules that were never in force together.
 *
 * <p>It lists again what was compacted, and everything when a new epoch begins. Beyond its limits
 * it keeps nothing, and lists again after half a minute. For one thread; a step reads partitions
 * and may block as they do.
 */
public final class DirectoryFollower {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryFollower.class);
    private static final Duration PAUSE_BEYOND_LIMITS = Duration.ofSeconds(30);

    private final String what;
    private final PartitionDirectory directory;
    private final List<KeyScope> scopes;
    private final FollowedKeys keys;
    private final LongSupplier nanoClock;

    private List<FollowedLane> lanes = List.of();
    private int partitions;
    private long epoch;
    private long pausedAt;
    private volatile Followed followed = new Followed.Unread();

    /**
     * @param what the objects are, for the log
     * @param scopes of keys, none of which is in two of them
     * @param nanoClock such as {@link System#nanoTime}
     */
    public DirectoryFollower(
            String what,
            PartitionDirectory directory,
            List<KeyScope> scopes,
            FollowLimits limits,
            FollowedContent content,
            LongSupplier nanoClock) {
        this.what = what;
        this.directory = directory;
        this.scopes = List.copyOf(scopes);
        this.keys = new FollowedKeys(limits, content);
        this.nanoClock = nanoClock;
    }

    /** How far it has read. For any thread; the content may be further already. */
    public Followed followed() {
        return followed;
    }

    /** The partitions that hold the keys; empty while their number is not known. */
    public List<Integer> partitions() {
        int count = directory.partitions();
        return count < 1 ? List.of() : set(count).numbers().boxed().toList();
    }

    /**
     * Reads what has come.
     *
     * @return whether {@link #followed} has moved, so that the content is complete again
     */
    public boolean step() {
        int count = directory.partitions();
        if (count < 1 || isPaused()) {
            return false;
        }
        try {
            return read(count);
        } catch (TooMuchException e) {
            LOG.warn("{} exceed a limit and are not followed: {}", what, e.getMessage());
            keys.clear();
            relist();
            pausedAt = nanoClock.getAsLong();
            followed = new Followed.TooMuch(what + ": " + e.getMessage());
            return true;
        } catch (RuntimeException e) {
            LOG.warn("Reading the {} failed; trying again", what, e);
            relist();
            return false;
        }
    }

    private boolean isPaused() {
        return followed instanceof Followed.TooMuch
                && nanoClock.getAsLong() - pausedAt < PAUSE_BEYOND_LIMITS.toNanos();
    }

    private boolean read(int count) {
        PartitionSet set = set(count);
        PartitionSetStatus status = PartitionSetStatus.of(set, directory);
        if (!status.ready() || !status.hasCommonRevision()) {
            return false;
        }
        prepare(count, status.epoch());
        if (isBeyond(status.watermark())) {
            return false; // A replica that lags behind the one that was read.
        }
        for (FollowedLane lane : lanes) {
            if (!lane.advance(directory.view(lane.partition()), epoch, status.watermark(), keys)) {
                return false;
            }
        }
        if (!isStillIn(set)) {
            relist();
            return false;
        }
        Followed now = new Followed.Through(epoch, status.watermark(), status.asOfMillis());
        boolean moved = !now.equals(followed);
        followed = now;
        return moved;
    }

    /** Content of which a part is newer than the rest has never been in etcd. */
    private boolean isBeyond(long revision) {
        return (followed instanceof Followed.Through(long before, long through, _)
                        && before == epoch
                        && through > revision)
                || lanes.stream().anyMatch(lane -> lane.isBeyond(revision));
    }

    private void prepare(int count, long newEpoch) {
        if (count != partitions) {
            partitions = count;
            lanes = lanes(count);
            keys.clear();
        }
        if (newEpoch != epoch) {
            epoch = newEpoch;
            relist();
        }
    }

    /** Whether no page can have been read from another epoch, since a scan does not name one. */
    private boolean isStillIn(PartitionSet set) {
        PartitionSetStatus status = PartitionSetStatus.of(set, directory);
        return status.ready() && status.epoch() == epoch;
    }

    private void relist() {
        lanes.forEach(FollowedLane::relist);
    }

    private List<FollowedLane> lanes(int count) {
        List<FollowedLane> all = new ArrayList<>();
        for (KeyScope scope : scopes) {
            PartitionSet.of(scope, count)
                    .numbers()
                    .forEach(partition -> all.add(new FollowedLane(scope, partition)));
        }
        return List.copyOf(all);
    }

    private PartitionSet set(int count) {
        List<PartitionSet> sets =
                scopes.stream().map(scope -> PartitionSet.of(scope, count)).toList();
        return new PartitionSet(
                sets.stream().mapToInt(PartitionSet::first).min().orElse(0),
                sets.stream().mapToInt(PartitionSet::endExclusive).max().orElse(1));
    }
}
