package io.tidemark.simulation.world;

import java.util.Arrays;

/**
 * One transaction of one producer: its records are committed or aborted together. Per partition, as
 * markers arrive.
 */
final class Transaction {
    /** Its state in one partition. */
    enum TransactionOutcome {
        OPEN,
        COMMITTED,
        ABORTED
    }

    private final TransactionOutcome[] fates;

    Transaction(int partitions) {
        this.fates = new TransactionOutcome[partitions];
        Arrays.fill(fates, TransactionOutcome.OPEN);
    }

    TransactionOutcome fate(int partition) {
        return fates[partition];
    }

    void end(int partition, TransactionOutcome fate) {
        fates[partition] = fate;
    }
}
