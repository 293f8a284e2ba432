package io.tidemark.standalone.process;

import io.tidemark.http.ConnectionLimits;
import io.tidemark.standalone.options.DescriptorBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks at startup that the process's limit of file descriptors is high enough. */
public final class DescriptorLimitCheck {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorLimitCheck.class);

    private DescriptorLimitCheck() {}

    /**
     * Checks the limit for any part.
     *
     * @throws StartException if it is below {@link DescriptorBudget#MINIMUM}
     */
    public static void require(DescriptorBudget budget) {
        if (budget.limit() < DescriptorBudget.MINIMUM) {
            throw new StartException(
                    "this process may have %d files and sockets open, but needs at least %d: %s"
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
     * Checks the limit for a node, and logs how it is divided.
     *
     * @throws StartException if it is below {@link DescriptorBudget#MINIMUM}
     */
    public static void require(DescriptorBudget budget, ConnectionLimits connections) {
        require(budget);
        LOG.info(
                "of {} descriptors, {} are for stores, {} for Kafka, peers and the rest; at most {}"
                        + " client connections, {} per address",
                budget.limit() == Long.MAX_VALUE ? "unlimited" : budget.limit(),
                budget.stores(),
                budget.others(),
                connections.all(),
                connections.perClient());
    }
}
