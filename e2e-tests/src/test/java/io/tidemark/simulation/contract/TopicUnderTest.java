package io.tidemark.simulation.contract;

import io.tidemark.connector.sink.TopicClients;
import java.util.function.BooleanSupplier;

/** An empty mirror topic of two partitions, real or fake, and a connector's clients of it. */
interface TopicUnderTest {
    String name();

    TopicClients clients();

    /** Whether the clients' packets get through. */
    void reachable(boolean now);

    /** From the next end of a transaction on no answer reaches a client. */
    void loseAnswersToCommits();

    /** From now on the cleaner may remove all that is not in the active segment. */
    void shortenLag();

    /** Lets the cleaner work, if it does not work by itself. */
    void clean();

    /** Damages the batch of one record on the broker's disk. */
    void corrupt(int partition, long offset);

    /** Waits until a condition holds; false when it does not within a bounded time. */
    boolean await(BooleanSupplier condition);
}
