package io.tidemark.simulation.node;

import io.tidemark.connector.check.Digests;
import io.tidemark.connector.check.DigestsUnavailableException;
import io.tidemark.connector.check.GroupKeyReader.KeyPage;
import io.tidemark.connector.check.GroupKeyReader.KeyPageRequest;
import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import io.tidemark.selfcheck.CheckRuntime;
import io.tidemark.selfcheck.EtcdDigest;
import io.tidemark.selfcheck.EtcdDigestSource;
import io.tidemark.selfcheck.OpenReplicas;
import io.tidemark.selfcheck.SelfCheck;
import io.tidemark.simulation.connector.SimulatedConnector;
import io.tidemark.simulation.connector.SimulatedConnectorGroup;
import io.tidemark.simulation.world.Coroutine;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One node process's self-check: production's, as a coroutine. */
final class SimulatedSelfCheck implements CheckRuntime, EtcdDigestSource {
    /** Of reading a page of keys. */
    private static final long WORK_NANOS = 200_000;

    private final Scheduler scheduler;
    private final SimulatedConnectorGroup connectors;
    private final InstantSource clock;
    private final Coroutine coroutine;
    private long workedNanos;

    SimulatedSelfCheck(
            Scheduler scheduler,
            SimulatedConnectorGroup connectors,
            OpenReplicas replicas,
            InstantSource clock) {
        this.scheduler = scheduler;
        this.connectors = connectors;
        this.clock = clock;
        SelfCheck check =
                new SelfCheck(replicas, this, Duration.ofMillis(Settings.SELF_CHECK_MILLIS), this);
        this.coroutine = new Coroutine(scheduler, "self-check", () -> run(check));
    }

    private static void run(SelfCheck check) {
        try {
            check.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void start() {
        coroutine.start();
    }

    void pauseProcess(boolean now) {
        coroutine.pause(now);
    }

    void kill() {
        coroutine.kill();
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public long workedNanos() {
        workedNanos += WORK_NANOS;
        return workedNanos;
    }

    /** Most short pauses take no time: the world does not change in them anyway. */
    @Override
    public void pause(Duration duration) {
        long millis = duration.toMillis();
        if (millis > 5 || scheduler.oneIn(4)) {
            coroutine.sleep(Math.max(1, millis));
        }
    }

    private SimulatedConnector leader() throws IOException {
        coroutine.sleep(scheduler.between(1, 20));
        SimulatedConnector leader = connectors.leaderFeed();
        if (leader == null || !leader.isResponsive()) {
            throw new IOException("no connector answers");
        }
        return leader;
    }

    @Override
    public EtcdDigest newest(String connector, int partitions) throws IOException {
        try {
            Digests found = leader().digests(partitions);
            scheduler.count(CoverageEvent.DIGESTS_READ);
            return new EtcdDigest(
                    found.epoch(),
                    found.revision(),
                    found.partitions(),
                    found.prefix(),
                    found.table(),
                    found.takenMillis(),
                    found.intervalMillis());
        } catch (DigestsUnavailableException e) {
            throw new IOException(e.getMessage());
        }
    }

    @Override
    public Keys keys(String connector, EtcdDigest digest, int partition, Bytes group) {
        return new Keys() {
            private @Nullable Bytes from = Bytes.EMPTY;
            private Iterator<KeyRevision> page = Collections.emptyIterator();

            @Override
            public Optional<KeyRevision> next() throws IOException, InterruptedException {
                while (!page.hasNext()) {
                    if (from == null) {
                        return Optional.empty();
                    }
                    KeyPage read = read(from);
                    page = read.keys().iterator();
                    from = read.next().orElse(null);
                }
                return Optional.of(page.next());
            }

            private KeyPage read(Bytes start) throws IOException, InterruptedException {
                try {
                    return leader().digestKeys(
                                    new KeyPageRequest(
                                            digest.epoch(),
                                            digest.revision(),
                                            digest.partitions(),
                                            partition,
                                            digest.table().byGroup(),
                                            group,
                                            start));
                } catch (DigestsUnavailableException e) {
                    throw new IOException(e.getMessage());
                }
            }
        };
    }
}
