package io.tidemark.streams.group;

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
 * The task assignor of the group: collects each node's state, computes the {@link Placement} and
 * translates it. Kafka Streams instantiates it by name in the group's leader. Its default assignor
 * would assign actives from scratch at every rebalance, and revisit an unfinished placement after a
 * minute at the earliest.
 */
public final class ReplicaAssignor implements TaskAssignor {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaAssignor.class);

    /** Bounds of the pause before checking again whether replicas have caught up. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private static final Duration LATE = Duration.ofSeconds(60);

    /** An estimate of how fast a replica fills; an error costs a rebalance that moves nothing. */
    private static final long RECORDS_A_SECOND = 5_000;

    private PreviousPlacement before = new PreviousPlacement();

    /**
     * The standbys of the last placement made in this process: Kafka Streams does not distinguish
     * an open standby from old files of a partition. It is a client setting with an object as its
     * value, as Kafka gives them to the plugins that it instantiates, see {@link
     * org.apache.kafka.common.Configurable}: Streams makes a new assignor for each rebalance.
     */
    public static final class PreviousPlacement {
        /** The name of the setting. */
        public static final String SETTING = "tidemark.placement";

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
                    "placement: {} is active for {}, standby for {}",
                    node.id(),
                    placement.active(node),
                    placement.standbys(node));
        }
        Map<ProcessId, Set<Integer>> standbys = new HashMap<>();
        nodes.keySet().forEach(node -> standbys.put(node, placement.standbys(node)));
        before.remember(standbys);
        if (placement.needsFollowUp()) {
            Duration pause = pause(placement.longestLag());
            LOG.info("placement: standbys are still catching up, checking again in {}", pause);
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
                    // Below 0: the task is running, or Kafka did not answer and the lag is unknown.
                    lags.put(task.partition(), Math.max(0, node.lagFor(task)));
                }
            }
        }
        return new NodeHoldings(
                Math.max(1, node.numProcessingThreads()), active, before.standbys(id), lags);
    }

    private static Duration pause(long lag) {
        Duration estimate = SOON.plusMillis(lag * 1000 / RECORDS_A_SECOND);
        return estimate.compareTo(LATE) < 0 ? estimate : LATE;
    }
}
