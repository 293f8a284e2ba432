package io.tidemark.streams;

import io.tidemark.nodeauth.HttpAddress;
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
 * Asks the connector for a new list of everything, when a copy needs one: it has lost records, or
 * the list itself, and has read on to the end of the topic without finding a newer list. Asked
 * again until one follows; the connector sees to it that there are not more lists than losses.
 */
final class RelistRequester {
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

    /** Looks at the copies of this node; does not wait for an answer. */
    void check(Map<Integer, PartitionStore> stores) {
        long sinceMillis = clock.millis() - askedMillis;
        // A clock that was set back is no reason to wait for it.
        if (sinceMillis >= 0 && sinceMillis < AGAIN.toMillis()) {
            return;
        }
        Optional<Map.Entry<Integer, PartitionStore>> needing =
                stores.entrySet().stream()
                        .filter(each -> each.getValue().needsList())
                        .max(Comparator.comparingLong(each -> each.getValue().state().epoch()));
        if (needing.isEmpty()) {
            return;
        }
        askedMillis = clock.millis();
        int partition = needing.get().getKey();
        PartitionState state = needing.get().getValue().state();
        if (state.connector().isEmpty()) {
            LOG.warn("partition {}: needs a new list, but no mark names a connector", partition);
            return;
        }
        ask(partition, state);
    }

    private void ask(int partition, PartitionState state) {
        HttpAddress connector;
        try {
            connector = HttpAddress.ofUrl(state.connector());
        } catch (IllegalArgumentException e) {
            LOG.warn("partition {}: needs a new list: {}", partition, e.getMessage());
            return;
        }
        LOG.warn("partition {}: needs a new list, asking {}", partition, connector);
        String path = "/relist?epoch=%d&partition=%d".formatted(state.epoch(), partition);
        Thread _ = Thread.ofVirtual().name("list-request").start(() -> ask(connector, path));
    }

    private void ask(HttpAddress connector, String path) {
        try {
            NodeClient.Answer answer =
                    client.ask(connector, NodeRequest.post(path), TIMEOUT, MAX_ANSWER);
            String text = new String(answer.body(), StandardCharsets.UTF_8).strip();
            LOG.info("{} answered {} {}", connector, answer.status(), text);
        } catch (IOException e) {
            LOG.warn("{} was asked for a new list: {}", connector, e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
