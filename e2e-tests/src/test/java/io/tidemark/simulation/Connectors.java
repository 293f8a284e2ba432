package io.tidemark.simulation;

import io.tidemark.connector.value.ParallelMap;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The connector processes, and whoever starts one again when none is left. */
final class Connectors {
    private final Scheduler scheduler;
    private final FakeEtcd etcd;
    private final FakeTopic topic;
    private final EpochTable epochs;
    private final CommitClock commits;
    private final ParallelMap parallel;
    private final List<SimulatedConnector> running = new ArrayList<>();
    private long restartNotBeforeMillis;
    private int started;

    Connectors(
            Scheduler scheduler,
            FakeEtcd etcd,
            FakeTopic topic,
            EpochTable epochs,
            CommitClock commits,
            ParallelMap parallel) {
        this.scheduler = scheduler;
        this.etcd = etcd;
        this.topic = topic;
        this.epochs = epochs;
        this.commits = commits;
        this.parallel = parallel;
    }

    void begin() {
        start();
        scheduler.every(200, 1_000, "supervise", this::supervise);
    }

    private void supervise() {
        running.removeIf(SimulatedConnector::isDead);
        if (running.isEmpty() && scheduler.nowMillis() >= restartNotBeforeMillis) {
            start();
        }
    }

    /** One more, which takes over from whoever runs. */
    void start() {
        SimulatedConnector connector =
                new SimulatedConnector(
                        scheduler,
                        etcd,
                        topic,
                        "connector " + started++,
                        new SimulatedSink(scheduler, topic, parallel, epochs, commits));
        running.add(connector);
        connector.start();
    }

    void crashAll(long downMillis) {
        running.forEach(SimulatedConnector::crash);
        running.clear();
        restartNotBeforeMillis = scheduler.nowMillis() + downMillis;
    }

    /** All that run now stand still for a while. */
    void pause(long millis) {
        List<SimulatedConnector> stopped = List.copyOf(running);
        stopped.forEach(connector -> connector.pause(true));
        var unused =
                scheduler.after(
                        millis,
                        "resume",
                        () -> stopped.forEach(connector -> connector.pause(false)));
    }

    /** Nothing stands still, and nobody waits with a restart. */
    void resume() {
        restartNotBeforeMillis = 0;
        List.copyOf(running).forEach(connector -> connector.pause(false));
    }

    /** The one that a barrier reaches, if there is one that follows etcd. */
    Optional<SimulatedConnector> leader() {
        return running.reversed().stream().filter(each -> each.epoch() > 0).findFirst();
    }
}
