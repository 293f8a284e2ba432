package io.tidemark.selfcheck;

import io.tidemark.selfcheck.OpenReplicas.OpenReplica;
import io.tidemark.view.PartitionState;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares every copy on this node with etcd at one revision, once in every interval, in the
 * background; rebuilds copies that differ, and at once those that a read has found broken.
 *
 * <p>There is no alarm without a proof: a copy counts as different only when single keys have been
 * named that it holds otherwise than etcd, read a second time from both, at a revision that the
 * copy still vouches for. Whatever comes in between (a compaction, a new epoch, a partition that
 * moves, another leader, a connector that is away) makes it no verdict, and the age of the last
 * proof grows.
 */
public final class SelfCheck implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SelfCheck.class);
    private static final int TICKS = 12;
    private static final Duration SHORTEST_TICK = Duration.ofMillis(100);
    private static final Duration LONGEST_TICK = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(5);

    private final OpenReplicas copies;
    private final EtcdDigestSource source;
    private final Duration configured;
    private final InstantSource clock;
    private final CheckStatus journal;
    private final CheckThrottle pace;
    private final ReplicaComparer comparer;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("tidemark-self-check").daemon().unstarted(this::run);
    private final List<OpenReplica> judged = new ArrayList<>();
    private @Nullable EtcdDigest truth;
    private Duration cost = Duration.ZERO;
    private long nextTruthMillis;

    /**
     * @param interval from one comparison to the next; zero for none, so that only copies that
     *     cannot be read are rebuilt
     */
    public SelfCheck(
            OpenReplicas copies, EtcdDigestSource source, Duration interval, InstantSource clock) {
        this.copies = copies;
        this.source = source;
        this.configured = interval;
        this.clock = clock;
        this.journal = new CheckStatus(!interval.isZero(), interval);
        this.pace =
                new CheckThrottle(
                        interval,
                        pause -> {
                            if (closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                                throw new InterruptedException("closing");
                            }
                        });
        this.comparer = new ReplicaComparer(source, pace);
    }

    public void start() {
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.start();
    }

    /** How it stands; cheap. */
    public CheckReport report() {
        return journal.report();
    }

    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            if (thread.isAlive() && !thread.join(END)) {
                LOG.warn("the self-check has not ended within {}", END);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration tick() {
        Duration part = configured.isZero() ? LONGEST_TICK : configured.dividedBy(TICKS);
        if (part.compareTo(SHORTEST_TICK) < 0) {
            return SHORTEST_TICK;
        }
        return part.compareTo(LONGEST_TICK) > 0 ? LONGEST_TICK : part;
    }

    private void run() {
        try {
            while (!closing.await(tick().toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    round();
                } catch (RuntimeException e) {
                    LOG.error("the self-check failed this time", e);
                }
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    /** Looks at what is here once. */
    void round() throws InterruptedException {
        List<OpenReplica> here = copies.copies();
        journal.keepOnly(here);
        for (OpenReplica copy : here) {
            String fault = copy.fault();
            if (!fault.isEmpty()) {
                act(copy, journal.unreadable(copy.partition(), fault, clock.millis()), fault);
            }
        }
        if (configured.isZero() || here.isEmpty()) {
            return;
        }
        fetch(here);
        @Nullable EtcdDigest against = truth;
        if (against != null) {
            compare(here, against);
        }
    }

    /** Asks for new digests when it is time to; the old ones stay good until then. */
    private void fetch(List<OpenReplica> here) throws InterruptedException {
        long now = clock.millis();
        long left = nextTruthMillis - now;
        // It may be far off when the clock was set back.
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
            journal.trouble("no tide mark has told where the connector is");
            return;
        }
        try {
            EtcdDigest newest = source.newest(connector, copies.partitions());
            journal.trouble("");
            if (!newest.equals(truth)) {
                settle();
                truth = newest;
                judged.clear();
                comparer.from(connector);
                nextTruthMillis = now + pace.interval().toMillis() - tick().toMillis();
            }
        } catch (IOException e) {
            journal.trouble(String.valueOf(e.getMessage()));
        }
    }

    /** After a comparison: what it has cost decides when the next one is. */
    private void settle() {
        if (cost.isZero()) {
            return;
        }
        if (pace.settle(cost)) {
            LOG.info(
                    "self-check: comparing all copies took {} ms of processor time, the next one"
                            + " comes after {} s ({} s configured)",
                    cost.toMillis(),
                    pace.interval().toSeconds(),
                    configured.toSeconds());
        }
        journal.settled(pace.interval(), cost);
        cost = Duration.ZERO;
    }

    private void compare(List<OpenReplica> here, EtcdDigest against) throws InterruptedException {
        for (OpenReplica copy : here) {
            if (judged.stream().anyMatch(copy::isSameAs)) {
                continue;
            }
            pace.begin();
            ReplicaComparer.Outcome outcome = comparer.compare(copy, against, copies);
            cost = cost.plus(pace.worked());
            switch (outcome.verdict()) {
                case Verdict.Proven(long revision, long keys) -> {
                    judged.add(copy);
                    journal.proven(copy.partition(), revision, clock.millis());
                    LOG.debug(
                            "partition {}: equal to etcd at revision {}, {} keys",
                            copy.partition(),
                            revision,
                            keys);
                }
                case Verdict.Differs differs -> {
                    judged.add(copy);
                    String what = outcome.text(differs);
                    journal.mismatched(copy.partition(), differs.groups());
                    String shown = outcome.summary(differs);
                    act(copy, journal.differs(copy.partition(), shown, clock.millis()), what);
                }
                case Verdict.Inconclusive(String why) -> journal.pending(copy.partition(), why);
            }
        }
    }

    private void act(OpenReplica copy, RepairState.Decision step, String what) {
        boolean rebuild = step.action() == RepairState.Action.REBUILD;
        if (!rebuild && !step.isNewFinding()) {
            return; // Said before; /readyz?verbose and the metrics go on saying it.
        }
        if (step.next().topicSuspected()) {
            LOG.error(
                    "partition {}: differs from etcd also after it was rebuilt from the topic: the"
                            + " TOPIC IS WRONG; {}. Have the connector list anew, see"
                            + " docs/self-check.md{}",
                    copy.partition(),
                    what,
                    rebuild ? "; rebuilding once more" : "");
        } else {
            LOG.error(
                    "partition {}: {}; {}",
                    copy.partition(),
                    what,
                    rebuild
                            ? "rebuilding it from the topic"
                            : "not rebuilt again so soon after the last time");
        }
        if (rebuild && copy.rebuild(what)) {
            journal.rebuilding(copy.partition());
        }
    }
}
