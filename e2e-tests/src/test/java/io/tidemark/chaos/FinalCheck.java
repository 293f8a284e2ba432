package io.tidemark.chaos;

import io.tidemark.chaos.check.HistoryChecker;
import io.tidemark.chaos.client.FullList;
import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.RetentionHorizon;
import io.tidemark.chaos.client.WatchClient;
import io.tidemark.chaos.client.WatchLog;
import io.tidemark.chaos.client.WatchTarget;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.simulation.promise.FleetGuarantees;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.RecordedReplica;
import io.tidemark.simulation.promise.Violation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The end of a run: all clients get what is still on its way, and then everything is checked. */
final class FinalCheck {
    private final ChaosOptions options;
    private final Cluster cluster;
    private final CheckerThread judging;
    private final List<WatchClient> watchers;
    private final NodeTable nodes;
    private final RetentionHorizon horizon;
    private final CheckProgress progress;

    @FunctionalInterface
    interface CheckProgress {
        void print(String line, Object... arguments);
    }

    FinalCheck(
            ChaosOptions options,
            Cluster cluster,
            CheckerThread judging,
            List<WatchClient> watchers,
            NodeTable nodes,
            RetentionHorizon horizon,
            CheckProgress progress) {
        this.options = options;
        this.cluster = cluster;
        this.judging = judging;
        this.watchers = watchers;
        this.nodes = nodes;
        this.horizon = horizon;
        this.progress = progress;
    }

    /**
     * @param last the newest revision of etcd
     */
    void judge(long last, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        awaitTruth(last, end);
        // First: the history that it requests gets older while everything else is awaited.
        List<WatchClient> replays = replays(horizon.oldest(), last);
        awaitWatchers(watchers, last, end);
        for (Cluster.Member node : running()) {
            check(node, last);
        }
        List<WatchClient> all = new ArrayList<>(watchers);
        all.addAll(replays);
        for (WatchClient watcher : all) {
            watcher.close();
        }
        progress.print("judging %d watches", all.size());
        for (WatchClient watcher : all) {
            judge(watcher, last);
        }
        judging.call(judge -> {
            judge.checkClients();
            return true;
        });
    }

    private List<Cluster.Member> running() {
        return cluster.servers(ManagedProcess::isRunning);
    }

    private void awaitTruth(long last, long endNanos) throws InterruptedException {
        while (judging.call(judge -> judge.truth().revision()) < last) {
            if (System.nanoTime() > endNanos) {
                note(Promise.SOUND, "the oracle's etcd watch does not reach revision " + last);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void awaitWatchers(List<WatchClient> waitedFor, long last, long endNanos)
            throws InterruptedException {
        for (WatchClient watcher : waitedFor) {
            WatchLog log = watcher.logs().getLast();
            long wanted = judging.call(judge -> judge.lastExpected(log, last));
            while (watcher.cursor() < wanted && System.nanoTime() < endNanos) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    /** A watch of all the history that each node must have, also on a rebuilt one. */
    private List<WatchClient> replays(long first, long last) throws InterruptedException {
        List<WatchClient> replays = new ArrayList<>();
        for (Cluster.Member node : running()) {
            WatchTarget target =
                    new WatchTarget(
                            "replay-at-" + node,
                            "/api/v1/configmaps",
                            options.space().everything());
            WatchClient replay =
                    new WatchClient(
                            target,
                            options.space(),
                            nodes,
                            new AcknowledgedWrites(),
                            horizon,
                            new SplittableRandom(options.seed()),
                            cluster.servers().indexOf(node),
                            first);
            // One after the other: together they would only wait for each other.
            awaitWatchers(
                    List.of(replay), last, System.nanoTime() + Duration.ofMinutes(3).toNanos());
            progress.print("%s sends %d changes from %d on", node, replay.events(), first);
            if (replay.expectedExpirations() > 0) {
                note(
                        Promise.RESUMABLE,
                        replay.name() + " took too long: " + replay.lastExpiration());
            }
            replays.add(replay);
        }
        return replays;
    }

    /** A node's full list equals what etcd holds. */
    private void check(Cluster.Member node, long last) throws InterruptedException {
        NodeTable.Address address = new NodeTable.Address(0, node.host(), node.port());
        try {
            FullList list = FullList.at(address, options.space(), last);
            RecordedReplica replica =
                    new RecordedReplica(
                            node.name(),
                            1,
                            0,
                            list.revision(),
                            FleetGuarantees.CONVERGENCE_MILLIS,
                            list.items(),
                            List.of(),
                            options.space().everything(),
                            0);
            judging.call(judge -> {
                judge.check(replica);
                return true;
            });
            progress.print("%s lists %d objects at %d", node, list.items().size(), list.revision());
        } catch (IOException e) {
            note(Promise.CONVERGENT, node + " cannot be listed: " + e.getMessage());
        }
    }

    private void judge(WatchClient watcher, long last) throws InterruptedException {
        judging.call(judge -> {
            List<WatchLog> logs = watcher.logs();
            for (WatchLog log : logs) {
                // Before a relist there was a separate end.
                judge.check(log, log == logs.getLast() ? last : 0);
            }
            return true;
        });
        if (watcher.unexpectedExpirations() > 0) {
            note(Promise.RESUMABLE, watcher.name() + ": " + watcher.lastExpiration());
        }
        if (!watcher.complaint().isEmpty()) {
            note(Promise.HONEST, watcher.name() + ": " + watcher.complaint());
        }
    }

    private void note(Promise promise, String detail) throws InterruptedException {
        boolean _ =
                judging.call((HistoryChecker judge) -> {
                    judge.note(new Violation(promise, detail));
                    return true;
                });
    }
}
