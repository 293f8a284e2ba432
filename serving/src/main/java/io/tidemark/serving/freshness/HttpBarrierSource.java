package io.tidemark.serving.freshness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import java.io.IOException;
import java.time.Duration;

/** Asks the connector over HTTP: {@code POST /barrier} answers {@code {"revision":N,"epoch":E}}. */
public final class HttpBarrierSource implements BarrierSource {
    /** Larger than any valid answer; longer ones are not read. */
    private static final int MAX_ANSWER = 4096;

    private static final NodeRequest BARRIER = NodeRequest.post("/barrier");
    private static final JsonMapper JSON = new JsonMapper();

    private final NodeClient client;
    private final Duration timeout;

    /**
     * @param client owned by the caller
     * @param timeout for one barrier; need not exceed the longest wait of a request
     */
    public HttpBarrierSource(NodeClient client, Duration timeout) {
        this.client = client;
        this.timeout = timeout;
    }

    @Override
    public Barrier take(String connector) throws IOException, InterruptedException {
        return parse(connector, client.askConnector(connector, BARRIER, timeout, MAX_ANSWER));
    }

    private static Barrier parse(String connector, NodeClient.Answer received) throws IOException {
        int status = received.status();
        JsonNode answer;
        try {
            answer = JSON.readTree(received.body());
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "the connector at %s answered %d without JSON".formatted(connector, status), e);
        }
        JsonNode revision = answer.path("revision");
        JsonNode epoch = answer.path("epoch");
        if (status != 200 || !revision.canConvertToLong() || !epoch.canConvertToLong()) {
            throw new IOException(
                    answer.path("error")
                            .asText(
                                    "the connector at %s answered %d"
                                            .formatted(connector, status)));
        }
        return new Barrier(epoch.asLong(), revision.asLong());
    }
}
