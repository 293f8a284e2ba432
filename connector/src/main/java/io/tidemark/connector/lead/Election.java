package io.tidemark.connector.lead;

import io.tidemark.connector.lead.ElectionGroup.Membership;
import io.tidemark.connector.lead.Leadership.Candidate;
import io.tidemark.connector.lead.Leadership.LeadershipState;
import io.tidemark.connector.lead.StepDownPolicy.Role;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes part in the election of one of a topic's connectors, without a thread or a clock: joins the
 * group, leads while the group says so, leaves while etcd is unreachable ({@link StepDownPolicy}),
 * and rejoins.
 */
public final class Election {
    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final Duration POLL = Duration.ofMillis(100);

    /** Interval between lookups of the group's other members. */
    private static final long LOOKUP_INTERVAL = Duration.ofSeconds(1).toNanos();

    private final String topic;
    private final ElectionGroup group;
    private final Candidate candidate;
    private final ElectionRuntime runtime;
    private final ElectionTiming timing;
    private final RejoinBackoff rejoinBackoff;

    /** Consecutive failed attempts. */
    private int failures;

    /** Role in the group, as of the last poll. */
    private Role role = Role.JOINING;

    /** Whether it left the group because etcd is unreachable. */
    private boolean outOfElection;

    /** Time of the last lookup of other members. */
    private long lookedUpAt;

    /**
     * @param topic for messages
     */
    public Election(
            String topic,
            ElectionGroup group,
            Candidate candidate,
            ElectionRuntime runtime,
            ElectionTiming timing) {
        this.topic = topic;
        this.group = group;
        this.candidate = candidate;
        this.runtime = runtime;
        this.timing = timing;
        this.rejoinBackoff = new RejoinBackoff(timing.rejoin());
        this.lookedUpAt = runtime.nanoTime() - LOOKUP_INTERVAL;
    }

    /**
     * Takes part until the election is to end, or the candidate fails; it has stepped down then.
     */
    public void run() throws InterruptedException {
        try {
            while (!runtime.isClosing() && candidate.state() != LeadershipState.FAILED) {
                Duration pause = timing.afterFailure();
                try {
                    pause = join();
                } catch (ExecutionException | TimeoutException | KafkaException e) {
                    logFailure(e);
                }
                runtime.pause(pause);
                awaitEtcd();
            }
        } finally {
            candidate.stepDown();
        }
    }

    /** Logs the first failure, then at doubling distances: an outage may last for hours. */
    private void logFailure(Exception e) {
        failures++;
        boolean due = Integer.bitCount(failures) == 1;
        LOG.atLevel(due ? Level.WARN : Level.DEBUG)
                .log(
                        "cannot join the election of topic {}, attempt {}: {}",
                        topic,
                        failures,
                        reason(e));
    }

    private static String reason(Exception e) {
        Throwable cause =
                e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void awaitEtcd() throws InterruptedException {
        if (!outOfElection) {
            return;
        }
        while (!runtime.isClosing() && !timing.stepDown().mayRejoin(runtime.etcdUnreachableFor())) {
            runtime.pause(POLL);
        }
        outOfElection = false;
        LOG.info("etcd answers: this connector rejoins the election of topic {}", topic);
    }

    /** One stay in the group; returns how long to wait before the next. */
    private Duration join() throws ExecutionException, TimeoutException, InterruptedException {
        Membership member = group.join(new Assignments());
        try {
            failures = 0;
            role = Role.JOINING;
            long began = runtime.nanoTime();
            while (!runtime.isClosing()
                    && candidate.state() == LeadershipState.ACTIVE
                    && !outOfElection) {
                if (!member.poll(POLL)) {
                    return Duration.ZERO;
                }
                outOfElection = leaves(member);
            }
            if (outOfElection) {
                Duration joinedFor = Duration.ofNanos(runtime.nanoTime() - began);
                return rejoinBackoff.after(joinedFor, runtime.random());
            }
            if (candidate.state() == LeadershipState.FENCED) {
                LOG.warn("another connector writes topic {}; on standby", topic);
                return timing.afterFence();
            }
            return Duration.ZERO;
        } finally {
            // In this order: what was written is committed before the next leader may start.
            candidate.stepDown();
            member.close();
        }
    }

    private boolean leaves(Membership member) throws InterruptedException {
        Duration unreachable = runtime.etcdUnreachableFor();
        boolean leaves =
                switch (timing.stepDown().advice(role, unreachable)) {
                    case STAY -> false;
                    case LEAVE -> true;
                    case LEAVE_IF_OTHERS_REMAIN -> lookupDue() && member.hasOthers();
                };
        if (leaves) {
            String why =
                    "etcd has not answered for %d s: %s"
                            .formatted(
                                    unreachable.toSeconds(),
                                    role == Role.LEADER
                                            ? "giving up leadership to another connector"
                                            : "leaving the election");
            LOG.warn("{} (topic {})", why, topic);
            candidate.stepDown();
            candidate.leaveElection(why);
        }
        return leaves;
    }

    private boolean lookupDue() {
        long now = runtime.nanoTime();
        boolean due = now - lookedUpAt >= LOOKUP_INTERVAL;
        if (due) {
            lookedUpAt = now;
        }
        return due;
    }

    private final class Assignments implements ElectionGroup.Assignments {
        @Override
        public void assigned() {
            role = Role.LEADER;
            LOG.info("leading: this connector writes topic {}", topic);
            candidate.lead();
        }

        @Override
        public void unassigned() {
            role = Role.STANDBY;
            candidate.enterStandby();
        }

        @Override
        public void revoked() {
            LOG.info("no longer leading");
            role = Role.STANDBY;
            candidate.stepDown();
            // Also called when this member leaves by itself: leaveElection was called already.
            if (!outOfElection) {
                candidate.enterStandby();
            }
        }
    }
}
