package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.nodeauth.NodeRequest;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;

/** Several connectors of one topic: one writes, another takes over, without loss or repetition. */
class ElectionIT extends ConnectorFixture {
    @Test
    void aStandbyTakesOverWhenTheLeaderCloses() throws Exception {
        Connector first = start(config().withElection(true));
        await().until(() -> first.status().phase() == Phase.FOLLOWING);
        Connector second = start(config().withElection(true));
        await().until(() -> second.status().phase() == Phase.STANDBY);
        assertThat(first.status().phase()).isEqualTo(Phase.FOLLOWING);
        assertThat(ask(second, NodeRequest.post("/barrier")).status()).isEqualTo(503);
        assertThat(send(second, "GET /readyz").status()).isEqualTo(200);

        put("pods/ns/a", object("a", 1));
        first.close();
        put("pods/ns/a", object("a", 2));
        await().until(() -> second.status().phase() == Phase.FOLLOWING);
        put("pods/ns/a", object("a", 3));
        awaitMirrored();
        await().until(() -> ask(second, NodeRequest.post("/barrier")).status() == 200);
        assertMirrorsEtcd();
        assertThat(puts(committed(), "pods/ns/a")).hasSize(3);
        assertThat(committed().getLast().change().epoch()).isEqualTo(1);
    }

    /** As when a suspended leader was replaced, and resumes. */
    @Test
    void aFencedLeaderRejoinsAndMayLeadAgain() {
        assertLeadsAgainAfterAFence(start(config().withElection(true)));
    }

    /** As after a suspension that the broker's transaction did not survive. */
    @Test
    void aFencedConnectorWithoutAnElectionLeadsAgain() {
        assertLeadsAgainAfterAFence(start(config()));
    }

    private void assertLeadsAgainAfterAFence(Connector fenced) {
        put("pods/ns/a", object("a", 1));
        awaitMirrored();
        TopicSettings settings = TopicSettings.DEFAULT.withName(topic);
        try (Producer<byte[], byte[]> other =
                new KafkaClients(kafka.bootstrapServers(), Map.of())
                        .producer(settings.transactionalId())) {
            other.initTransactions();
        }
        put("pods/ns/a", object("a", 2));
        await().until(() -> fenced.status().phase() != Phase.FOLLOWING);
        await().until(() -> fenced.status().phase() == Phase.FOLLOWING);
        put("pods/ns/a", object("a", 3));
        awaitMirrored();
        assertMirrorsEtcd();
        assertThat(puts(committed(), "pods/ns/a")).hasSize(3);
    }

    @Test
    void exactlyOneOfThreeWrites() {
        List<Connector> all =
                List.of(
                        start(config().withElection(true)),
                        start(config().withElection(true)),
                        start(config().withElection(true)));
        await().until(() -> count(all, Phase.FOLLOWING) == 1);
        await().until(() -> count(all, Phase.STANDBY) == 2);
    }

    private static long count(List<Connector> all, Phase phase) {
        return all.stream().filter(each -> each.status().phase() == phase).count();
    }
}
