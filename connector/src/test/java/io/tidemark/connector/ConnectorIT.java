package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The whole connector between a real etcd and a real broker: what it mirrors. */
class ConnectorIT extends ConnectorFixture {
    @Test
    void mirrorsListThenChangesAsTheyAreInEtcd() {
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
    void theFirstListIsTakenAtTheOldestRevisionSoThatHistoryFollows() {
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
    void aTransactionOfManyKeysKeepsItsOrderAndItsRevision() {
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
    void keysOfOneLeaseAreDeletedAtOneRevision() {
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
    void goesOnAfterARestartWithoutLossOrRepetition() {
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
    void secretsNeverReachKafkaUnlessAskedFor() {
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
    void whatWasLeftOutComesInWithAListWhenTheSettingChanges() {
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
    void largeValuesPass() {
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
