package io.tidemark.simulation.world;

import java.util.Arrays;

/**
 * One transaction of one producer: its records share its fate. Per partition, as markers arrive.
 */
final class Transaction {
    /** As one partition knows it. */
    enum Fate {
        OPEN,
        COMMITTED,
        ABORTED
    }

    private final Fate[] fates;

    Transaction(int partitions) {
        this.fates = new Fate[partitions];
        Arrays.fill(fates, Fate.OPEN);
    }

    Fate fate(int partition) {
        return fates[partition];
    }

    void end(int partition, Fate fate) {
        fates[partition] = fate;
    }
}
