package io.tidemark.selfcheck;

import io.tidemark.selfcheck.OpenReplicas.OpenReplica;
import io.tidemark.view.PartitionState;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares every replica on this node with etcd at one revision, once per interval; rebuilds
 * replicas that differ, and at once those that a read has found corrupt.
 *
 * <p>There is no alarm without a proof: a replica counts as different only when single differing
 * keys have been named, read a second time from both sides, at a revision that the replica still
 * has. If anything intervenes (a compaction, a new epoch, a rebalance, another leader, an
 * unreachable connector), the comparison is inconclusive, and the age of the last proof grows.
 */
public final class SelfCheck {
    private static final Logger LOG = LoggerFactory.getLogger(SelfCheck.class);
    private static final int TICKS = 12;
    private static final Duration SHORTEST_TICK = Duration.ofMillis(100);
    private static final Duration LONGEST_TICK = Duration.ofSeconds(5);

    private final OpenReplicas copies;
    private final EtcdDigestSource source;
    private final Duration configured;
    private final CheckRuntime runtime;
    private final InstantSource clock;
    private final CheckStatus status;
    private final CheckThrottle pace;
    private final ReplicaComparer comparer;
    private final List<OpenReplica> compared = new ArrayList<>();
    private @Nullable EtcdDigest digest;
    private Duration cost = Duration.ZERO;
    private long nextDigestMillis;

    /**
     * @param interval from one comparison to the next; zero to rebuild corrupt replicas only
     */
    public SelfCheck(
            OpenReplicas copies, EtcdDigestSource source, Duration interval, CheckRuntime runtime) {
        this.copies = copies;
        this.source = source;
        this.configured = interval;
        this.runtime = runtime;
        this.clock = runtime.clock();
        this.status = new CheckStatus(!interval.isZero(), interval);
        this.pace = new CheckThrottle(interval, runtime);
        this.comparer = new ReplicaComparer(source, pace);
    }

    /** The current state; cheap. */
    public CheckReport report() {
        return status.report();
    }

    private Duration tick() {
        Duration part = configured.isZero() ? LONGEST_TICK : configured.dividedBy(TICKS);
        if (part.compareTo(SHORTEST_TICK) < 0) {
            return SHORTEST_TICK;
        }
        return part.compareTo(LONGEST_TICK) > 0 ? LONGEST_TICK : part;
    }

    /** Checks again and again, until a pause is interrupted. */
    public void run() throws InterruptedException {
        while (true) {
            runtime.pause(tick());
            try {
                round();
            } catch (RuntimeException e) {
                LOG.error("the self-check failed, to be repeated", e);
            }
        }
    }

    /** Checks all open replicas once. */
    void round() throws InterruptedException {
        List<OpenReplica> here = copies.copies();
        status.keepOnly(here);
        for (OpenReplica replica : here) {
            String fault = replica.fault();
            if (!fault.isEmpty()) {
                act(replica, status.unreadable(replica.partition(), fault, clock.millis()), fault);
            }
        }
        if (configured.isZero() || here.isEmpty()) {
            return;
        }
        fetch(here);
        @Nullable EtcdDigest against = digest;
        if (against != null) {
            compare(here, against);
        }
    }

    /** Gets new digests when they are due; until then the old ones stay valid. */
    private void fetch(List<OpenReplica> here) throws InterruptedException {
        long now = clock.millis();
        long left = nextDigestMillis - now;
        // More than an interval is left only after the clock was set back.
        if (left > 0 && left <= pace.interval().toMillis()) {
            return;
        }
        String connector =
                here.stream()
                        .map(OpenReplica::state)
                        .filter(state -> !state.connector().isEmpty())
                        .max(
                                Comparator.comparingLong(PartitionState::epoch)
                                        .thenComparingLong(PartitionState::markTimeMillis))
                        .map(PartitionState::connector)
                        .orElse("");
        if (connector.isEmpty()) {
            status.trouble("no tide mark has named the connector yet");
            return;
        }
        try {
            EtcdDigest newest = source.newest(connector, copies.partitions());
            status.trouble("");
            if (!newest.equals(digest)) {
                settle();
                digest = newest;
                status.digestsEvery(Duration.ofMillis(newest.intervalMillis()));
                compared.clear();
                comparer.from(connector);
                nextDigestMillis = now + pace.interval().toMillis() - tick().toMillis();
            }
        } catch (IOException e) {
            status.trouble(String.valueOf(e.getMessage()));
        }
    }

    /** Sets the interval by the cost of the last comparison. */
    private void settle() {
        if (cost.isZero()) {
            return;
        }
        if (pace.settle(cost)) {
            LOG.info(
                    "self-check: comparing all replicas took {} ms of processor time; the next"
                            + " comparison is in {} s ({} s configured)",
                    cost.toMillis(),
                    pace.interval().toSeconds(),
                    configured.toSeconds());
        }
        status.settled(pace.interval(), cost);
        cost = Duration.ZERO;
    }

    private void compare(List<OpenReplica> here, EtcdDigest against) throws InterruptedException {
        for (OpenReplica replica : here) {
            if (compared.stream().anyMatch(replica::isSameAs)) {
                continue;
            }
            pace.begin();
            ReplicaComparer.Outcome outcome = comparer.compare(replica, against, copies);
            cost = cost.plus(pace.worked());
            switch (outcome.verdict()) {
                case Verdict.Proven(long revision, long keys) -> {
                    compared.add(replica);
                    status.proven(replica.partition(), revision, clock.millis());
                    LOG.debug(
                            "partition {}: equal to etcd at revision {}, {} keys",
                            replica.partition(),
                            revision,
                            keys);
                }
                case Verdict.Differs differs -> {
                    compared.add(replica);
                    String what = outcome.text(differs);
                    status.mismatched(replica.partition(), differs.groups());
                    String shown = outcome.summary(differs);
                    act(replica, status.differs(replica.partition(), shown, clock.millis()), what);
                }
                case Verdict.Inconclusive(String why) -> status.pending(replica.partition(), why);
            }
        }
    }

    /**
     * A replica that was closed meanwhile is neither rebuilt nor counted: opened again, it may be
     * as wrong as before, and counts as never rebuilt.
     */
    private void act(OpenReplica replica, RepairState.Decision step, String what) {
        boolean rebuild = step.action() == RepairState.Action.REBUILD;
        if (rebuild && !replica.rebuild(what)) {
            status.pending(replica.partition(), "the replica was closed while it was compared");
            return;
        }
        status.acted(replica.partition(), step);
        if (!rebuild && !step.isNewFinding()) {
            return; // Logged before; /readyz?verbose and the metrics still show it.
        }
        if (step.next().topicSuspected()) {
            LOG.error(
                    "partition {}: differs from etcd even after it was rebuilt from the topic: the"
                            + " TOPIC IS WRONG; {}. Make the connector relist, see"
                            + " docs/self-check.md{}",
                    replica.partition(),
                    what,
                    rebuild ? "; rebuilding once more" : "");
        } else {
            LOG.error(
                    "partition {}: {}; {}",
                    replica.partition(),
                    what,
                    rebuild
                            ? "rebuilding it from the topic"
                            : "not rebuilt: the last rebuild is too recent");
        }
    }
}
