package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.connector.value.Protobuf;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** The connector against a real etcd and a real broker: fencing, dead letters, barriers, gaps. */
class ConnectorDutiesIT extends ConnectorFixture {
    private static final Pattern BARRIER =
            Pattern.compile("\\{\"revision\":(\\d+),\"epoch\":(\\d+)}");

    @Test
    void aRunningConnectorIsFencedByTheNextWithoutLoss() throws Exception {
        Connector zombie = start(config());
        awaitMirrored();
        Thread writer =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 0; i < 2_000; i++) {
                                put("pods/ns/p" + i % 50, object("p" + i % 50, i));
                            }
                        });
        await().until(() -> zombie.status().changes() > 200);
        start(config());
        await().until(() -> zombie.status().lastError().contains("fenced this one of topic"));
        zombie.close();
        writer.join();
        awaitMirrored();
        assertMirrorsEtcd();
        assertEachChangeOnce(2_000);
    }

    private void assertEachChangeOnce(int expected) {
        Set<Long> revisions = new HashSet<>();
        for (Read read : committed()) {
            if (read.change() instanceof Change.Put put) {
                assertThat(revisions.add(put.revision())).as("twice: " + put.revision()).isTrue();
            }
        }
        assertThat(revisions).hasSize(expected);
    }

    @Test
    void mirrorsUnreadableValuesRawAndWritesDeadLetters() {
        Connector connector = start(config());
        awaitMirrored();
        put("pods/ns/malformed", Bytes.utf8("{\"kind\":"));
        put("pods/ns/empty", Bytes.EMPTY);
        put("pods/ns/proto", Bytes.utf8("k8s\0\n\u0001"));
        put("pods/ns/newer", Protobuf.envelope("v9", "Pod", Bytes.EMPTY));
        put("secretive.example.com/things/x", Bytes.utf8("k8s:enc:aescbc:v1:key1:abc"));
        put("ranges/serviceips", Bytes.utf8("k8s\0range"));
        put("freeform", Bytes.utf8("anything"));
        awaitMirrored();
        Map<Bytes, Change.Put> state = state();
        assertThat(state.get(key("pods/ns/malformed")))
                .satisfies(put -> assertThat(put.unreadable()).startsWith("malformed JSON"))
                .satisfies(put -> assertThat(put.value().utf8()).isEqualTo("{\"kind\":"));
        assertThat(state.get(key("ranges/serviceips")).unreadable()).isEmpty();
        assertThat(state.get(key("freeform")).unreadable()).isEmpty();
        assertThat(deadLetterReasons())
                .containsExactlyInAnyOrder(
                        "malformed_json",
                        "empty",
                        "malformed_protobuf",
                        "unknown_kind",
                        "encrypted");
        assertThat(connector.status().unreadableKeys()).isEqualTo(5);

        put("pods/ns/malformed", object("malformed", 1));
        etcd.delete(key("pods/ns/empty"));
        awaitMirrored();
        assertThat(connector.status().unreadableKeys()).isEqualTo(3);
        connector.close();
        Connector second = start(config());
        awaitMirrored();
        assertThat(second.status().unreadableKeys()).isEqualTo(3);
    }

    private List<String> deadLetterReasons() {
        List<String> reasons = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record :
                MirrorReader.records(
                        kafka.bootstrapServers(), topic + "-dead-letters", "read_committed")) {
            if (record.value() != null) {
                reasons.add(
                        new String(
                                record.headers().lastHeader("reason").value(),
                                StandardCharsets.UTF_8));
            }
        }
        return reasons;
    }

    @Test
    void barriersAreFreshAndMarkedSoon() throws Exception {
        Connector connector = start(config());
        awaitMirrored();
        for (int i = 0; i < 100; i++) {
            long acknowledged =
                    i % 2 == 0
                            ? etcd.put(key("pods/ns/p"), object("p", i))
                            : etcd.put(Bytes.utf8("/elsewhere"), Bytes.utf8("v" + i));
            long barrier = barrier(connector);
            assertThat(barrier).isGreaterThanOrEqualTo(acknowledged);
            await().pollInterval(Duration.ofMillis(2))
                    .until(() -> connector.status().revision() >= barrier);
        }
    }

    private long barrier(Connector connector) throws Exception {
        // On a busy machine etcd may answer too late for one barrier.
        NodeClient.Answer answer =
                await().until(
                                () -> ask(connector, NodeRequest.post("/barrier")),
                                each -> each.status() == 200);
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        Matcher matcher = BARRIER.matcher(body);
        assertThat(matcher.matches()).as(body).isTrue();
        assertThat(matcher.group(2)).isEqualTo("1");
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void healthAndMetricsShowTheFeedsState() throws Exception {
        Connector connector = start(config());
        put("pods/ns/broken", Bytes.utf8("{"));
        awaitMirrored();
        assertThat(send(connector, "GET /livez").status()).isEqualTo(200);
        TestHttpClient.Answer ready = send(connector, "GET /readyz?verbose");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.text()).contains("[+] feed: FOLLOWING", "[+] unreadable: 1 keys now");
        assertThat(send(connector, "GET /metrics").text())
                .contains("tidemark_connector_changes_total 1.0")
                .contains("tidemark_connector_dead_letters_total{reason=\"malformed_json\"} 1.0");
        assertThat(send(connector, "GET /nothing").status()).isEqualTo(404);
    }

    @Test
    void reconcilesACompactedResumePointWithinTheEpochWithoutStaleKeys() throws Exception {
        Connector first = start(config());
        put("pods/ns/stays", object("stays", 1));
        put("pods/ns/goes", object("goes", 1));
        awaitMirrored();
        first.close();
        etcd.delete(key("pods/ns/goes"));
        put("pods/ns/comes", object("comes", 1));
        etcd.compact(etcd.revision(key("x")), true);
        start(config());
        awaitMirrored();
        assertMirrorsEtcd();
        assertThat(state()).containsOnlyKeys(key("pods/ns/stays"), key("pods/ns/comes"));
        assertThat(committed().getLast().change().epoch()).isEqualTo(1);
        assertThat(send(connectors.getLast(), "GET /readyz?verbose").text())
                .contains("[+] gaps: 1 reconciled");
        assertThat(send(connectors.getLast(), "GET /metrics").text())
                .contains("tidemark_connector_gap_seconds_count 1")
                .contains("tidemark_connector_gap_keys_deleted_total 1.0");
    }
}
