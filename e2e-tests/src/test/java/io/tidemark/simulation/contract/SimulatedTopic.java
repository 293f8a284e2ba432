package io.tidemark.simulation.contract;

import io.tidemark.connector.sink.TopicClients;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.kafka.FakePartition;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.kafka.SimulatedKafka;
import io.tidemark.simulation.world.Settings;
import java.util.function.BooleanSupplier;

/** The simulated topic. Its cleaner works only when it is called. */
final class SimulatedTopic implements TopicUnderTest {
    private static final FakePartition.Settings QUICK = new FakePartition.Settings(1, 2_000, 3, 1);

    private final InVirtualTime run;
    private final FakeTopic topic;
    private final SimulatedKafka clients;

    SimulatedTopic(InVirtualTime run) {
        this.run = run;
        topic = new FakeTopic(run.scheduler(), 2, QUICK, Settings.TRANSACTION_TIMEOUT_MILLIS);
        clients = new SimulatedKafka(run.scheduler(), topic, Mutation.NONE, run.process());
    }

    @Override
    public String name() {
        return SimulatedKafka.TOPIC;
    }

    @Override
    public TopicClients clients() {
        return clients;
    }

    @Override
    public void reachable(boolean now) {
        topic.reachable(now);
    }

    @Override
    public void loseAnswersToCommits() {
        boolean[] lost = {false};
        run.scheduler()
                .afterEachEvent(() -> {
                    if (!lost[0] && topic.hasUnwrittenMarkers()) {
                        lost[0] = true;
                        topic.reachable(false);
                    }
                });
    }

    @Override
    public void shortenLag() {}

    @Override
    public void clean() {
        topic.clean();
    }

    @Override
    public void corrupt(int partition, long offset) {
        FakePartition log = topic.partitions().get(partition);
        log.corrupt((int) (log.endOffset() - offset), 1);
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return run.await(condition);
    }
}
