package io.tidemark.standalone;

import io.tidemark.http.ConnectionLimits;
import io.tidemark.standalone.options.DescriptorBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks at the start that the process may have enough files and sockets open. */
final class DescriptorLimitCheck {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorLimitCheck.class);

    private DescriptorLimitCheck() {}

    /**
     * Of any part.
     *
     * @throws StartException if there are too few to run at all
     */
    static void require(DescriptorBudget budget) {
        if (budget.limit() < DescriptorBudget.MINIMUM) {
            throw new StartException(
                    "this process may have %d files and sockets open, and needs %d at least: %s"
                            .formatted(
                                    budget.limit(),
                                    DescriptorBudget.MINIMUM,
                                    DescriptorBudget.ADVICE));
        }
        if (budget.limit() < DescriptorBudget.RECOMMENDED) {
            LOG.warn(
                    "this process may have only {} files and sockets open: {}",
                    budget.limit(),
                    DescriptorBudget.ADVICE);
        }
    }

    /**
     * Of a node.
     *
     * @throws StartException if there are too few to run at all
     */
    static void require(DescriptorBudget budget, ConnectionLimits connections) {
        require(budget);
        LOG.info(
                "of {} descriptors, {} are for stores, {} for Kafka, peers and the rest; clients"
                        + " may have {} connections, each address {}",
                budget.limit() == Long.MAX_VALUE ? "unlimited" : budget.limit(),
                budget.stores(),
                budget.others(),
                connections.all(),
                connections.perClient());
    }
}
