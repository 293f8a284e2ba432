package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a connector mirrors, between a real etcd and a real broker. */
class ConnectorIT extends ConnectorFixture {
    @Test
    void mirrorsTheListAndThenEveryChange() {
        put("configmaps/ns/a", object("a", 1));
        put("configmaps/ns/b", object("b", 1));
        Connector connector = start(config());
        awaitMirrored();
        put("configmaps/ns/a", object("a", 2));
        etcd.delete(key("configmaps/ns/b"));
        put("configmaps/other/c", object("c", 1));
        awaitMirrored();

        assertMirrorsEtcd();
        assertThat(connector.status().phase()).isEqualTo(ConnectorStatus.Phase.FOLLOWING);
        Change.Put a = state().get(key("configmaps/ns/a"));
        assertThat(a.contentType()).isEqualTo(ContentType.KUBERNETES_JSON);
        assertThat(a.value().utf8()).contains("\"resourceVersion\":\"" + a.revision() + "\"");
    }

    @Test
    void takesTheFirstListAtTheOldestRevision() {
        put("pods/ns/a", object("a", 1));
        for (int i = 2; i <= 5; i++) {
            put("pods/ns/a", object("a", i));
        }
        start(config());
        awaitMirrored();
        List<Change.Put> puts = puts(committed(), "pods/ns/a");
        assertThat(puts).hasSize(5).noneMatch(Change.Put::listed);
    }

    @Test
    void backfillBoundsTheHistory() {
        for (int i = 1; i <= 5; i++) {
            put("pods/ns/a", object("a", i));
        }
        start(config().withBackfill(2));
        awaitMirrored();
        List<Change.Put> puts = puts(committed(), "pods/ns/a");
        assertThat(puts).hasSize(3);
        assertThat(puts).extracting(Change.Put::listed).containsExactly(true, false, false);
    }

    @Test
    void keepsTheOrderAndRevisionOfATransaction() {
        start(config());
        awaitMirrored();
        Bytes a = key("pods/ns/a");
        Bytes z = key("pods/ns/z");
        Bytes other = key("configmaps/elsewhere/m");
        Txn.Result result =
                etcd.txn(
                        Txn.of(
                                new Op.Put(z, object("z", 1)),
                                new Op.Put(other, object("m", 1)),
                                new Op.Put(a, object("a", 1))));
        awaitMirrored();
        List<Change.Put> written = new ArrayList<>();
        for (Read read : committed()) {
            if (read.change() instanceof Change.Put put && put.revision() == result.revision()) {
                written.add(put);
            }
        }
        written.sort(Comparator.comparing(Change.Put::index));
        assertThat(written).extracting(Change.Put::key).containsExactly(z, other, a);
        assertThat(written).extracting(Change.Put::index).containsExactly(0, 1, 2);
    }

    @Test
    void deletesTheKeysOfALeaseAtOneRevision() {
        start(config());
        awaitMirrored();
        long lease = etcd.grantLease(Duration.ofSeconds(60)).id();
        for (int i = 0; i < 10; i++) {
            etcd.put(key("events/ns" + i + "/e"), object("e", i), lease);
        }
        awaitMirrored();
        assertThat(state().get(key("events/ns0/e")).lease()).isEqualTo(lease);
        etcd.revokeLease(lease);
        awaitMirrored();
        List<Change.Delete> deletes =
                committed().stream()
                        .map(Read::change)
                        .filter(Change.Delete.class::isInstance)
                        .map(Change.Delete.class::cast)
                        .toList();
        assertThat(deletes).hasSize(10);
        assertThat(deletes)
                .extracting(Change.Delete::revision)
                .containsOnly(deletes.getFirst().revision());
        assertThat(deletes)
                .extracting(Change.Delete::index)
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void resumesAfterARestartWithoutLossOrRepetition() {
        Connector first = start(config());
        put("pods/ns/before", object("before", 1));
        awaitMirrored();
        first.close();
        long from = etcd.revision(key("x"));
        for (int i = 0; i < 200; i++) {
            put("pods/ns/p" + i % 20, object("p" + i % 20, i));
        }
        start(config());
        awaitMirrored();
        assertMirrorsEtcd();
        List<Change.Put> missed = new ArrayList<>();
        for (Read read : committed()) {
            if (read.change() instanceof Change.Put put && put.revision() > from) {
                missed.add(put);
            }
        }
        assertThat(missed).hasSize(200).noneMatch(Change.Put::listed);
        assertThat(committed()).extracting(r -> r.change().epoch()).containsOnly(1L);
    }

    @Test
    void mirrorsSecretsOnlyOnRequest() {
        put("secrets/ns/s", object("s", 1));
        put("configmaps/ns/c", object("c", 1));
        start(config());
        put("secrets/ns/t", object("t", 1));
        put("configmaps/ns/d", object("d", 1));
        awaitMirrored();
        assertThat(MirrorReader.state(uncommitted()))
                .containsOnlyKeys(key("configmaps/ns/c"), key("configmaps/ns/d"));
    }

    @Test
    void withholdsSecretsAtAnyKey() {
        Map<String, Bytes> secrets =
                Map.of(
                        "registry/secrets/ns/s", secret("below-a-root"),
                        "kubernetes.io/secrets/ns/s", secret("below-another-root"),
                        "kubernetes.io/secrets/ns/broken", Bytes.utf8("k8s:enc:PAYLOAD"),
                        "elsewhere/secrets/ns/s", secret("below-no-root"),
                        "elsewhere/proto", protobufSecret(),
                        "registry/pods/ns/s", secret("at-a-pods-key"),
                        "registry/pods/ns/large", secret("x".repeat(1_200_000)));
        secrets.forEach((name, value) -> etcd.put(at(name), value));
        etcd.put(at("elsewhere/turns"), Bytes.utf8("plain at first"));
        Connector connector = start(everything());
        awaitMirrored();
        etcd.put(at("elsewhere/turns"), secret("later"));
        etcd.put(at("kubernetes.io/secrets/ns/t"), secret("watched"));
        etcd.put(at("elsewhere/watched"), protobufSecret());
        awaitMirrored();

        Map<Bytes, Change.Put> state = state();
        assertThat(state)
                .containsOnlyKeys(
                        at("elsewhere/secrets/ns/s"),
                        at("elsewhere/proto"),
                        at("elsewhere/turns"),
                        at("elsewhere/watched"),
                        at("registry/pods/ns/s"),
                        at("registry/pods/ns/large"));
        assertThat(state.values())
                .allSatisfy(put -> {
                    assertThat(put.value()).isEqualTo(Bytes.EMPTY);
                    assertThat(put.unreadable()).isEqualTo(Change.Put.WITHHELD);
                });
        assertHoldsNoSecret(topic);
        assertThat(
                        MirrorReader.records(
                                kafka.bootstrapServers(),
                                topic + "-dead-letters",
                                "read_uncommitted"))
                .isEmpty();
        assertThat(connector.status().unreadableKeys()).isZero();

        etcd.put(at("elsewhere/turns"), Bytes.utf8("plain again"));
        awaitMirrored();
        assertThat(state().get(at("elsewhere/turns")).value().utf8()).isEqualTo("plain again");
    }

    @Test
    void deadLettersHoldNoSecretEvenWhenSecretsAreMirrored() {
        etcd.put(at("registry/secrets/ns/broken"), Bytes.utf8("{\"data\":\"PAYLOAD\""));
        etcd.put(at("registry/secrets/ns/sealed"), Bytes.utf8("k8s:enc:PAYLOAD"));
        etcd.put(at("registry/pods/ns/nameless"), secret("at-a-pods-key"));
        etcd.put(at("registry/pods/ns/proto"), protobufSecret());
        Connector connector = start(everything().withSecrets(true));
        awaitMirrored();
        assertThat(connector.status().unreadableKeys()).isEqualTo(4);
        assertThat(
                        MirrorReader.records(
                                kafka.bootstrapServers(),
                                topic + "-dead-letters",
                                "read_committed"))
                .hasSize(4)
                .allSatisfy(record -> assertThat(record.value()).isEmpty());
        assertHoldsNoSecret(topic + "-dead-letters");
    }

    /** Mirrors everything below the test's folder, with two roots in it. */
    private ConnectorConfig everything() {
        return config().withPrefix(Bytes.utf8("/" + topic + "/"))
                .withKubernetesRoots(
                        KubernetesRoots.of(
                                List.of(
                                        "/" + topic + "/registry/",
                                        "/" + topic + "/kubernetes.io/")));
    }

    private Bytes at(String name) {
        return Bytes.utf8("/" + topic + "/" + name);
    }

    private static Bytes secret(String payload) {
        return Bytes.utf8(
                "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"data\":{\"p\":\"PAYLOAD-%s\"}}"
                        .formatted(payload));
    }

    private static Bytes protobufSecret() {
        return Bytes.utf8("k8s\0\n\u000c\n\u0002v1\u0012\u0006Secret\u0012\u0007PAYLOAD");
    }

    private void assertHoldsNoSecret(String name) {
        assertThat(MirrorReader.records(kafka.bootstrapServers(), name, "read_uncommitted"))
                .isNotEmpty()
                .allSatisfy(record -> {
                    byte[] value = record.value() == null ? new byte[0] : record.value();
                    assertThat(new String(value, StandardCharsets.ISO_8859_1))
                            .doesNotContain("PAYLOAD");
                    record.headers()
                            .forEach(header ->
                                    assertThat(
                                                    new String(
                                                            header.value(),
                                                            StandardCharsets.ISO_8859_1))
                                            .doesNotContain("PAYLOAD"));
                });
    }

    @Test
    void relistsWhenSecretsAreIncludedLater() {
        put("secrets/ns/s", object("s", 1));
        put("configmaps/ns/c", object("c", 1));
        Connector without = start(config());
        awaitMirrored();
        assertThat(state()).containsOnlyKeys(key("configmaps/ns/c"));
        without.close();

        start(config().withSecrets(true));
        put("configmaps/ns/d", object("d", 1));
        awaitMirrored();
        assertMirrorsEtcd();
        assertThat(state()).containsKey(key("secrets/ns/s"));
    }

    @Test
    void mirrorsLargeValues() {
        Bytes large = object("large", 1, "x".repeat(1_400_000));
        for (int i = 0; i < 40; i++) {
            put("configmaps/ns/listed" + i, large);
        }
        start(config().withBackfill(0));
        put("configmaps/ns/watched", large);
        awaitMirrored();
        assertMirrorsEtcd();
        assertThat(state()).hasSize(41);
    }
}
