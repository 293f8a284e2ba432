package io.tidemark.streams;

import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.store.PartitionStore;
import io.tidemark.view.PartitionState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the connector to relist when a replica needs it: the replica has lost records or part of a
 * list, and has read to the end of the topic without a newer list. Repeats the request until a list
 * follows; the connector limits the number of lists to the number of losses.
 */
public final class RelistRequester {
    private static final Logger LOG = LoggerFactory.getLogger(RelistRequester.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_ANSWER = 4 << 10;

    private final InstantSource clock;
    private final NodeClient client;
    private long askedMillis = -AGAIN.toMillis();

    RelistRequester(NodeClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Checks this node's replicas; sends at most one request, without waiting for the response. */
    void check(Map<Integer, PartitionStore> stores) {
        long sinceMillis = clock.millis() - askedMillis;
        // After a backward clock step the interval counts as over.
        if (sinceMillis >= 0 && sinceMillis < AGAIN.toMillis()) {
            return;
        }
        Optional<Map.Entry<Integer, PartitionStore>> needing = needing(stores);
        if (needing.isEmpty()) {
            return;
        }
        askedMillis = clock.millis();
        int partition = needing.get().getKey();
        PartitionState state = needing.get().getValue().state();
        if (state.connector().isEmpty()) {
            LOG.warn("partition {}: needs a relist, but no tide mark names a connector", partition);
            return;
        }
        ask(partition, state);
    }

    /**
     * The replica that a relist is requested for: of those that need it, one of the newest epoch.
     */
    public static Optional<Map.Entry<Integer, PartitionStore>> needing(
            Map<Integer, PartitionStore> stores) {
        return stores.entrySet().stream()
                .filter(each -> each.getValue().needsList())
                .max(Comparator.comparingLong(each -> each.getValue().state().epoch()));
    }

    private void ask(int partition, PartitionState state) {
        LOG.warn("partition {}: lost records, requesting a relist", partition);
        String path = "/relist?epoch=%d&partition=%d".formatted(state.epoch(), partition);
        Thread _ =
                Thread.ofVirtual().name("list-request").start(() -> ask(state.connector(), path));
    }

    private void ask(String connector, String path) {
        try {
            NodeClient.Answer answer =
                    client.askConnector(connector, NodeRequest.post(path), TIMEOUT, MAX_ANSWER);
            String text = new String(answer.body(), StandardCharsets.UTF_8).strip();
            LOG.info("relist request: {} answered {} {}", connector, answer.status(), text);
        } catch (IOException e) {
            LOG.warn("relist request failed, to be repeated: {}", e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
