package io.tidemark.standalone.part;

import io.tidemark.connector.Connector;
import io.tidemark.connector.ConnectorConfig;
import io.tidemark.connector.ConnectorStatus;
import io.tidemark.local.PortInUseException;
import io.tidemark.local.Ports;
import io.tidemark.standalone.options.DescriptorBudget;
import io.tidemark.standalone.process.DescriptorLimitCheck;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.process.ShutdownStages;
import java.io.IOException;

/** Starts the connector as a part of this process, and reports its end as a failure. */
public final class ConnectorPart {
    private ConnectorPart() {}

    /**
     * @throws PortInUseException if its address is in use
     * @throws IOException if it cannot start for another reason
     */
    public static Connector start(ConnectorConfig config, ProcessLifecycle running)
            throws IOException {
        DescriptorLimitCheck.require(DescriptorBudget.ofThisProcess());
        if (config.listen().port() != 0) {
            Ports.requireFree(config.listen().host(), config.listen().port());
        }
        Connector connector =
                running.start(
                        ShutdownStages.PIPELINE,
                        "connector",
                        () -> {
                            Connector made = new Connector(config);
                            made.start();
                            return made;
                        });
        Thread.ofVirtual().name("connector-end").start(() -> awaitEnd(connector, running));
        return connector;
    }

    private static void awaitEnd(Connector connector, ProcessLifecycle running) {
        try {
            connector.awaitTermination();
            ConnectorStatus status = connector.status();
            running.failed("the connector ended: " + status.lastError());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
