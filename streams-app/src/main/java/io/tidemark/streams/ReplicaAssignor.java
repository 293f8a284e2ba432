package io.tidemark.streams;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskAssignor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the nodes of a group share the partitions, see {@link Placement}. Kafka Streams makes it, by
 * name, in the node that leads the group; its own assignor places owners anew at every rebalance,
 * and comes back to an unfinished placement after a minute at the earliest.
 */
public final class ReplicaAssignor implements TaskAssignor {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaAssignor.class);

    /** When to look again whether copies have caught up, at the earliest and at the latest. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private static final Duration LATE = Duration.ofSeconds(60);

    /** A guess at how fast a copy is filled; a wrong one costs a rebalance that moves nothing. */
    private static final long RECORDS_A_SECOND = 5_000;

    private PreviousPlacement before = new PreviousPlacement();

    /**
     * What the last placement made in this process was: Kafka Streams does not tell who follows a
     * partition from who has old files of it.
     */
    static final class PreviousPlacement {
        /** The client setting that it is passed in. */
        static final String SETTING = "tidemark.placement";

        private Map<ProcessId, Set<Integer>> standbys = Map.of();

        synchronized Set<Integer> standbys(ProcessId node) {
            return standbys.getOrDefault(node, Set.of());
        }

        synchronized void remember(Map<ProcessId, Set<Integer>> placed) {
            standbys = Map.copyOf(placed);
        }
    }

    @Override
    public void configure(Map<String, ?> settings) {
        if (settings.get(PreviousPlacement.SETTING) instanceof PreviousPlacement shared) {
            before = shared;
        }
    }

    @Override
    public TaskAssignment assign(ApplicationState group) {
        TreeMap<Integer, TaskId> tasks = new TreeMap<>();
        group.allTasks().keySet().forEach(task -> tasks.put(task.partition(), task));
        TreeMap<ProcessId, NodeHoldings> nodes = new TreeMap<>();
        group.kafkaStreamsStates(true)
                .forEach((id, state) -> nodes.put(id, holder(id, state, tasks.keySet())));
        Placement<ProcessId> placement =
                new Placement<>(
                        nodes,
                        new TreeSet<>(tasks.keySet()),
                        group.assignmentConfigs().numStandbyReplicas(),
                        group.assignmentConfigs().acceptableRecoveryLag());
        List<KafkaStreamsAssignment> assignments = new ArrayList<>();
        for (ProcessId node : nodes.keySet()) {
            Set<AssignedTask> assigned = new HashSet<>();
            add(assigned, tasks, placement.active(node), AssignedTask.Type.ACTIVE);
            add(assigned, tasks, placement.standbys(node), AssignedTask.Type.STANDBY);
            assignments.add(KafkaStreamsAssignment.of(node, assigned));
            LOG.info(
                    "{} owns {}, follows {}",
                    node.id(),
                    placement.active(node),
                    placement.standbys(node));
        }
        Map<ProcessId, Set<Integer>> standbys = new HashMap<>();
        nodes.keySet().forEach(node -> standbys.put(node, placement.standbys(node)));
        before.remember(standbys);
        if (placement.needsFollowUp()) {
            Duration pause = pause(placement.longestLag());
            LOG.info("not all copies are where they shall be: to be looked at in {}", pause);
            assignments.set(
                    0, assignments.getFirst().withFollowupRebalance(Instant.now().plus(pause)));
        }
        return new TaskAssignment(assignments);
    }

    private static void add(
            Set<AssignedTask> assigned,
            Map<Integer, TaskId> tasks,
            SortedSet<Integer> partitions,
            AssignedTask.Type type) {
        for (int partition : partitions) {
            TaskId task = tasks.get(partition);
            if (task != null) {
                assigned.add(new AssignedTask(task, type));
            }
        }
    }

    private NodeHoldings holder(ProcessId id, KafkaStreamsState node, Set<Integer> partitions) {
        Set<Integer> active = new HashSet<>();
        Map<Integer, Long> lags = new HashMap<>();
        node.previousActiveTasks().forEach(task -> active.add(task.partition()));
        active.retainAll(partitions);
        for (Set<TaskId> held : List.of(node.previousStandbyTasks(), node.previousActiveTasks())) {
            for (TaskId task : held) {
                if (partitions.contains(task.partition())) {
                    // Below 0 it is running, or nobody knows since Kafka is in trouble.
                    lags.put(task.partition(), Math.max(0, node.lagFor(task)));
                }
            }
        }
        return new NodeHoldings(
                Math.max(1, node.numProcessingThreads()), active, before.standbys(id), lags);
    }

    private static Duration pause(long lag) {
        Duration wanted = SOON.plusMillis(lag * 1000 / RECORDS_A_SECOND);
        return wanted.compareTo(LATE) < 0 ? wanted : LATE;
    }
}
