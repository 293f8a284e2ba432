package io.tidemark.chaos.fault;

import io.tidemark.chaos.client.Availability;
import io.tidemark.chaos.client.RetentionHorizon;
import io.tidemark.chaos.client.WatchClient;
import io.tidemark.chaos.process.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Chooses the next fault: all requested ones, in rounds. The group {@code scale} alone runs in its
 * declared order, because its faults build on each other; any others run at random.
 */
public final class FaultSchedule {
    private final List<FaultKind> kinds;
    private final FaultContext scene;
    private final FaultRunner runner;
    private final List<FaultKind> left = new ArrayList<>();
    private final boolean inOrder;
    private int rounds;

    public FaultSchedule(
            List<FaultKind> kinds,
            Cluster cluster,
            ClusterProbe probe,
            ClusterHealth health,
            List<WatchClient> watchers,
            Availability availability,
            SplittableRandom random,
            int desiredNodes,
            long keptRevisions,
            RetentionHorizon horizon,
            Consumer<String> diary) {
        this.kinds = List.copyOf(kinds);
        scene =
                new FaultContext(
                        cluster,
                        probe,
                        random,
                        desiredNodes,
                        keptRevisions,
                        new RollingUpgrade(cluster),
                        horizon);
        runner = new FaultRunner(scene, health, watchers, availability, diary);
        inOrder = kinds.stream().allMatch(kind -> kind.group().equals("scale"));
        left.addAll(kinds);
    }

    /** Does the next one; empty when none is possible. */
    public Optional<FaultResult> runNext() throws Exception {
        List<FaultKind> possible = possible(left);
        if (possible.isEmpty()) {
            rounds++;
            left.clear();
            left.addAll(kinds);
            possible = possible(left);
        }
        if (possible.isEmpty()) {
            return Optional.empty();
        }
        FaultKind next = inOrder ? possible.getFirst() : scene.pick(possible);
        left.remove(next);
        FaultResult result = runner.run(next);
        if (left.isEmpty()) {
            rounds++;
            left.addAll(kinds);
        }
        return Optional.of(result);
    }

    /** Does this one, out of turn; empty when it is not possible. */
    public Optional<FaultResult> run(FaultKind kind) throws Exception {
        return kind.isPossible(scene) ? Optional.of(runner.run(kind)) : Optional.empty();
    }

    /** How many times all kinds have had their turn. */
    public int rounds() {
        return rounds;
    }

    private List<FaultKind> possible(List<FaultKind> among) {
        return among.stream().filter(kind -> kind.isPossible(scene)).toList();
    }
}
