package io.tidemark.standalone.part;

import java.util.Map;

/**
 * How the parts of one process connect to Kafka, each as a user with its own rights.
 *
 * @param bootstrapServers HOST:PORT, separated by commas
 * @param ofConnector settings of the connector's clients
 * @param ofNode settings of the node's clients
 */
public record KafkaConnections(
        String bootstrapServers, Map<String, Object> ofConnector, Map<String, Object> ofNode) {
    public KafkaConnections {
        ofConnector = Map.copyOf(ofConnector);
        ofNode = Map.copyOf(ofNode);
    }

    /** The servers only: the settings hold passwords. */
    @Override
    public String toString() {
        return bootstrapServers;
    }
}
