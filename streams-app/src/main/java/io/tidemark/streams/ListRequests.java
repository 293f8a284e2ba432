package io.tidemark.streams;

import io.tidemark.store.PartitionStore;
import io.tidemark.view.PartitionState;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the connector for a new list of everything, when a copy needs one: it has lost records, or
 * the list itself, and has read on to the end of the topic without finding a newer list. Asked
 * again until one follows; the connector sees to it that there are not more lists than losses.
 */
final class ListRequests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ListRequests.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final InstantSource clock;
    private @Nullable HttpClient client;
    private long askedMillis = -AGAIN.toMillis();

    ListRequests(InstantSource clock) {
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
        String url =
                "%s/relist?epoch=%d&partition=%d"
                        .formatted(state.connector(), state.epoch(), partition);
        LOG.warn("partition {}: needs a new list, asking {}", partition, url);
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url))
                            .timeout(TIMEOUT)
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build();
            var _ =
                    client().sendAsync(request, HttpResponse.BodyHandlers.ofString())
                            .whenComplete((answer, e) -> tell(url, answer, e));
        } catch (IllegalArgumentException e) {
            LOG.warn("the connector's address makes no sense: {}", url, e);
        }
    }

    private static void tell(
            String url, @Nullable HttpResponse<String> answer, @Nullable Throwable failure) {
        if (answer == null) {
            LOG.warn("{} does not answer: {}", url, String.valueOf(failure));
        } else {
            LOG.info("{} answers {} {}", url, answer.statusCode(), answer.body().strip());
        }
    }

    /** Made when it is needed, which is hardly ever. */
    private HttpClient client() {
        HttpClient made = client;
        if (made == null) {
            made = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
            client = made;
        }
        return made;
    }

    @Override
    public void close() {
        HttpClient made = client;
        if (made != null) {
            made.shutdownNow();
        }
    }
}
