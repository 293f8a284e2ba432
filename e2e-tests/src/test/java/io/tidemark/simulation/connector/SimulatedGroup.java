package io.tidemark.simulation.connector;

import io.tidemark.connector.lead.ElectionGroup;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.world.Coroutine;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The broker's side of the connectors' election: a group with one partition. It removes members
 * that it has not heard of for a session, and may be wrong about them; such a member learns it when
 * it reaches the group again.
 */
public final class SimulatedGroup {
    private static final long SESSION_MILLIS = 1_000;
    private static final long LONGEST_DELAY = 800;
    private static final long TIMEOUT_MILLIS = 500;

    private final Scheduler scheduler;
    private final FakeTopic topic;
    private final List<Member> members = new ArrayList<>();
    private @Nullable Member leader;

    public SimulatedGroup(Scheduler scheduler, FakeTopic topic) {
        this.scheduler = scheduler;
        this.topic = topic;
    }

    public void begin() {
        scheduler.every(50, 250, "group", this::supervise);
    }

    /** The way of one process to the group. */
    public ElectionGroup of(ElectedProcess process) {
        return assignments -> {
            process.sleep(scheduler.between(1, 30));
            if (!topic.isReachable()) {
                process.sleep(TIMEOUT_MILLIS);
                throw new TimeoutException("the broker does not answer");
            }
            Member joined = new Member(process, assignments);
            joined.join();
            return joined;
        };
    }

    /** The process that leads, as far as the group knows. */
    @Nullable ElectedProcess leader() {
        return leader == null ? null : leader.process;
    }

    private void supervise() {
        long now = scheduler.nowMillis();
        for (Member each : List.copyOf(members)) {
            if (each.isHeard()) {
                each.heardAtMillis = now;
            } else if (now - each.heardAtMillis > SESSION_MILLIS) {
                remove(each);
            }
        }
        elect(null);
    }

    private void remove(Member member) {
        members.remove(member);
        if (leader == member) {
            scheduler.count(CoverageEvent.LEADERS_LOST);
            leader = null;
        }
    }

    private void elect(@Nullable Member except) {
        List<Member> candidates = members.stream().filter(each -> each != except).toList();
        if (leader == null && !candidates.isEmpty()) {
            leader = scheduler.pick(candidates);
        }
    }

    /** Takes the leader for dead, if there is another member; it learns of it a little later. */
    public void moveLeadership() {
        Member before = leader;
        if (before != null && members.size() > 1) {
            remove(before);
            before.learnsAtMillis = scheduler.nowMillis() + scheduler.between(0, LONGEST_DELAY);
            elect(before);
        }
    }

    /** One stay of a process in the group, as its client sees it. */
    private final class Member implements ElectionGroup.Membership {
        private final ElectedProcess process;
        private final Coroutine incarnation;
        private final ElectionGroup.Assignments assignments;
        private long heardAtMillis;
        private long learnsAtMillis;

        /** Whether it leads, as far as it knows. */
        private boolean leads;

        private boolean answered;
        private boolean closed;

        Member(ElectedProcess process, ElectionGroup.Assignments assignments) {
            this.process = process;
            this.incarnation = process.election();
            this.assignments = assignments;
        }

        private void join() {
            heardAtMillis = scheduler.nowMillis();
            answered = false;
            scheduler.note(() -> process + ": joins the group");
            members.add(this);
        }

        private boolean isHeard() {
            return !closed && process.isResponsive(incarnation) && topic.isReachable();
        }

        @Override
        public boolean poll(Duration timeout) {
            process.sleep(scheduler.between(1, SimulatedProcess.millis(timeout)));
            if (!topic.isReachable() || scheduler.nowMillis() < learnsAtMillis) {
                return true;
            }
            if (!members.contains(this)) {
                revoke();
                join();
            } else if (leader == this && !leads) {
                leads = true;
                answered = true;
                scheduler.note(() -> process + ": leads");
                assignments.assigned();
            } else if (leader != this && leads) {
                revoke();
            } else if (leader != null && !answered) {
                answered = true;
                assignments.unassigned();
            }
            return true;
        }

        private void revoke() {
            if (leads) {
                leads = false;
                scheduler.note(() -> process + ": leads no more");
                assignments.revoked();
            }
        }

        @Override
        public boolean hasOthers() {
            process.sleep(scheduler.between(1, 30));
            return topic.isReachable() && members.size() > 1;
        }

        @Override
        public void close() {
            scheduler.note(() -> process + ": leaves the group");
            revoke();
            closed = true;
            if (topic.isReachable()) {
                remove(this);
            }
        }
    }
}
