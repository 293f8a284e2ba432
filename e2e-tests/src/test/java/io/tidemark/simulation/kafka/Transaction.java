package io.tidemark.simulation.kafka;

import java.util.Arrays;

/**
 * One transaction of one producer: its records are committed or aborted together. Per partition, as
 * markers arrive.
 */
public final class Transaction {
    /** Its state in one partition. */
    public enum TransactionOutcome {
        OPEN,
        COMMITTED,
        ABORTED
    }

    private final TransactionOutcome[] fates;

    public Transaction(int partitions) {
        this.fates = new TransactionOutcome[partitions];
        Arrays.fill(fates, TransactionOutcome.OPEN);
    }

    public TransactionOutcome fate(int partition) {
        return fates[partition];
    }

    public void end(int partition, TransactionOutcome fate) {
        fates[partition] = fate;
    }
}
