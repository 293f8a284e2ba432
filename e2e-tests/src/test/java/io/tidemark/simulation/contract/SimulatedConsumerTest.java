package io.tidemark.simulation.contract;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated consumer keeps the contract, with any delays. */
@ParameterizedClass
@ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
final class SimulatedConsumerTest extends ConsumerContract {
    @RegisterExtension private final InVirtualTime run;
    private final SimulatedTopic topic;

    SimulatedConsumerTest(long seed) {
        run = new InVirtualTime(seed);
        topic = new SimulatedTopic(run);
    }

    @Override
    TopicUnderTest topic() {
        return topic;
    }
}
