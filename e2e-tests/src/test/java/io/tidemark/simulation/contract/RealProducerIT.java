package io.tidemark.simulation.contract;

import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's producer keeps the contract, so it asks no more than Kafka promises. */
@LongTest
final class RealProducerIT extends ProducerContract {
    @TempDir private static Path folder;
    @AutoClose private static RealTopic topic;

    @BeforeAll
    static void start() throws Exception {
        topic = new RealTopic(folder);
    }

    @BeforeEach
    void createTopic() throws Exception {
        topic.createNext();
    }

    @Override
    TopicUnderTest topic() {
        return topic;
    }
}
