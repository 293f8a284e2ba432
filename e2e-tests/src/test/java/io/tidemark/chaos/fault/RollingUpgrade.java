package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.Cluster.Member;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Restarts one member after the other in the other of two releases: all of them up to today's, then
 * all of them down again in the reverse order. The first time the nodes go up before the
 * connectors, the next time the connectors before the nodes.
 */
final class RollingUpgrade {
    /** As a graceful shutdown may take. */
    private static final Duration STOP = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final Deque<Step> left = new ArrayDeque<>();

    /** Counts the ways up and down, from 0; the even ones go up. */
    private int leg;

    private record Step(Member member, boolean toOther, String order) {}

    RollingUpgrade(Cluster cluster) {
        this.cluster = cluster;
    }

    static boolean isPossible(FaultContext scene) {
        return !scene.cluster().upgradable().isEmpty() && scene.endedNodes().size() <= 1;
    }

    static FaultEffect next(FaultContext scene) throws Exception {
        return scene.rolling().restartNext();
    }

    private FaultEffect restartNext() throws Exception {
        Step step = takeStep();
        boolean inTime = step.member().process().stop(STOP);
        step.member().process().setOther(step.toOther());
        step.member().process().start();
        return new FaultEffect(
                "%s %s (%s)%s"
                        .formatted(
                                step.toOther() ? "downgraded" : "upgraded",
                                step.member(),
                                step.order(),
                                inTime ? "" : ", had to kill it"),
                cluster.nodes().indexOf(step.member()));
    }

    /** Members that another fault has ended are left out. */
    private Step takeStep() {
        left.removeIf(step -> !step.member().process().isRunning());
        if (left.isEmpty()) {
            planLeg();
        }
        return left.removeFirst();
    }

    private void planLeg() {
        boolean toOther = leg % 2 == 1;
        boolean nodesFirst = leg % 4 < 2;
        leg++;
        List<Member> nodes = new ArrayList<>();
        List<Member> connectors = new ArrayList<>();
        for (Member member : cluster.upgradable()) {
            if (member.process().isRunning()) {
                (cluster.nodes().contains(member) ? nodes : connectors).add(member);
            }
        }
        List<Member> order = new ArrayList<>(nodesFirst ? nodes : connectors);
        order.addAll(nodesFirst ? connectors : nodes);
        List<Member> members = toOther ? order.reversed() : order;
        String first = cluster.nodes().contains(members.getFirst()) ? "nodes" : "connectors";
        members.forEach(each -> left.add(new Step(each, toOther, first + " first")));
    }
}
