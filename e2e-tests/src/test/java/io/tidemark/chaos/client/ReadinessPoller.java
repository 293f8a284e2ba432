package io.tidemark.chaos.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Polls every node's {@code /readyz} twice a second, as a balancer in front of them would. */
public final class ReadinessPoller implements AutoCloseable {
    private static final long EVERY_MILLIS = 500;
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final NodeTable nodes;
    private volatile boolean over;

    public ReadinessPoller(NodeTable nodes) {
        this.nodes = nodes;
        nodes.all().forEach(node -> Thread.ofVirtual().start(() -> look(node)));
    }

    private void look(NodeTable.Address node) {
        try {
            while (!over) {
                nodes.updateReadiness(node, isReady(node));
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isReady(NodeTable.Address node) {
        try (HttpExchange exchange = new HttpExchange(node, "/readyz", SILENCE)) {
            return exchange.status() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close() {
        over = true;
    }
}
