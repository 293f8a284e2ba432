package io.tidemark.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DigestTally;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The check round by round, with a replica and an etcd in memory, and intervening events. */
class SelfCheckTest {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final Bytes A = Bytes.utf8("/registry/pods/a");
    private static final Bytes B = Bytes.utf8("/registry/pods/b");

    private final TreeMap<Bytes, Long> etcd = new TreeMap<>(Map.of(A, 3L, B, 4L));
    private final TreeMap<Bytes, Long> topic = new TreeMap<>(etcd);
    private FakeReplica replica = new FakeReplica(etcd);
    private long revision = 10;
    private long epoch = 1;
    private long millis = 1_000_000;
    private long digestsEvery = 60_000;
    private String digestsFail = "";
    private String keysFail = "";
    private Runnable beforeKeys = () -> {};

    private final SelfCheck check =
            new SelfCheck(
                    new OpenReplicas() {
                        @Override
                        public int partitions() {
                            return 1;
                        }

                        @Override
                        public List<OpenReplica> copies() {
                            return List.of(replica);
                        }
                    },
                    new FakeEtcdKeys(),
                    Duration.ofMinutes(1),
                    new VirtualTime());

    private final class FakeReplica implements OpenReplicas.OpenReplica {
        final TreeMap<Bytes, Long> objects;
        final TreeMap<Bytes, Long> metadata;
        final TreeMap<Bytes, Long> checksums;
        final TreeMap<Bytes, Long> protobuf;
        PartitionState state = stateAt(1, 2, 100);
        String fault = "";
        int rebuilds;
        String reason = "";
        boolean closed;

        FakeReplica(Map<Bytes, Long> content) {
            objects = new TreeMap<>(content);
            metadata = new TreeMap<>(content);
            checksums = new TreeMap<>(content);
            protobuf = new TreeMap<>(content);
        }

        @Override
        public int partition() {
            return 0;
        }

        @Override
        public PartitionState state() {
            return state;
        }

        @Override
        public String fault() {
            return fault;
        }

        @Override
        public List<Projection> forms() {
            return List.of(
                    Projection.WHOLE,
                    Projection.METADATA,
                    Projection.CHECKSUM,
                    new Projection.Protobuf(""));
        }

        @Override
        public ReadOutcome<KeysPage> keys(KeysRequest request) {
            if (!fault.isEmpty()) {
                return new ReadOutcome.ReplicaUnavailable<>("corrupt");
            }
            if (request.atRevision() < state.floor()) {
                return new ReadOutcome.Expired<>(state.floor());
            }
            List<KeyRevision> keys = new ArrayList<>();
            TreeMap<Bytes, Long> family =
                    switch (request.family()) {
                        case Projection.Whole _ -> objects;
                        case Projection.Metadata _ -> metadata;
                        case Projection.Checksum _ -> checksums;
                        case Projection.Protobuf _, Projection.ProtobufLength _ -> protobuf;
                    };
            family.tailMap(request.fromKeyInclusive())
                    .forEach((key, at) -> keys.add(new KeyRevision(key, at)));
            return new ReadOutcome.Served<>(new KeysPage(keys, Optional.empty()));
        }

        @Override
        public boolean rebuild(String why) {
            if (closed) {
                return false;
            }
            rebuilds++;
            replica = new FakeReplica(topic);
            replica.rebuilds = rebuilds;
            replica.reason = why;
            return true;
        }

        @Override
        public boolean isSameAs(OpenReplicas.OpenReplica other) {
            return this == other;
        }
    }

    private static PartitionState stateAt(long epoch, long floor, long watermark) {
        return new PartitionState(
                true, epoch, 7, floor, watermark, watermark, 99, 5, 0, "http://c");
    }

    private final class FakeEtcdKeys implements EtcdDigestSource {
        @Override
        public EtcdDigest newest(String connector, int partitions) throws IOException {
            if (!digestsFail.isEmpty()) {
                throw new IOException(digestsFail);
            }
            DigestTally tally = new DigestTally(new DirectoryGroups(PREFIX), true, 100);
            etcd.forEach((key, at) -> tally.add(0, new KeyRevision(key, at)));
            DigestTable table = tally.table();
            return new EtcdDigest(epoch, revision, 1, PREFIX, table, millis, digestsEvery);
        }

        @Override
        public Keys keys(String connector, EtcdDigest digest, int partition, Bytes group)
                throws IOException {
            beforeKeys.run();
            if (!keysFail.isEmpty()) {
                throw new IOException(keysFail);
            }
            Iterator<Map.Entry<Bytes, Long>> all = new TreeMap<>(etcd).entrySet().iterator();
            return () ->
                    all.hasNext()
                            ? Optional.of(all.next())
                                    .map(each -> new KeyRevision(each.getKey(), each.getValue()))
                            : Optional.empty();
        }
    }

    private final class VirtualTime implements CheckRuntime {
        @Override
        public InstantSource clock() {
            return () -> Instant.ofEpochMilli(millis);
        }

        @Override
        public long workedNanos() {
            return 0;
        }

        @Override
        public void pause(Duration duration) {
            millis += duration.toMillis();
        }
    }

    private void minuteLater() throws InterruptedException {
        millis += 61_000;
        revision++;
        check.round();
    }

    private CheckReport.Partition shown() {
        return check.report().partitions().getFirst();
    }

    @Test
    void provesEqualReplicasRepeatedly() throws Exception {
        check.round();
        assertThat(shown().provenRevision()).isEqualTo(10);
        assertThat(shown().provenAtMillis()).isEqualTo(millis);
        minuteLater();
        assertThat(shown().provenRevision()).isEqualTo(11);
        millis += 61_000; // It is proven again although nothing has changed.
        check.round();
        assertThat(shown().provenAtMillis()).isEqualTo(millis);
        assertThat(shown().text(millis + 1500)).contains("revision 11, proven 1.5 s ago");
        assertThat(replica.rebuilds).isZero();
    }

    /** Proofs of a large mirror come at the connector's interval: their age is judged by that. */
    @Test
    void reportsTheLongerIntervalOfNodeAndConnector() throws Exception {
        digestsEvery = 1_500_000;
        check.round();
        assertThat(check.report().intervalMillis()).isEqualTo(1_500_000);
        digestsEvery = 1_000;
        minuteLater();
        assertThat(check.report().intervalMillis()).isEqualTo(60_000);
    }

    @Test
    void rebuildsAReplicaThatWasClosedAndReopenedDuringTheComparison() throws Exception {
        FakeReplica compared = replica;
        compared.objects.remove(A);
        beforeKeys =
                () -> {
                    compared.closed = true;
                    replica = new FakeReplica(compared.objects);
                };
        check.round();
        assertThat(replica.rebuilds).isZero();
        assertThat(shown().pending()).contains("closed");

        beforeKeys = () -> {};
        minuteLater();
        assertThat(replica.rebuilds).isEqualTo(1);
    }

    @Test
    void namesDifferingKeysAndRebuildsTheReplica() throws Exception {
        replica.objects.remove(A);
        replica.objects.put(B, 2L);
        replica.objects.put(Bytes.utf8("/registry/pods/c"), 5L);
        check.round();

        assertThat(replica.rebuilds).isEqualTo(1);
        assertThat(shown().finding())
                .contains("in /registry/pods/: 1 missing, 1 not in etcd, 1 at another revision");
        assertThat(shown().text(millis)).doesNotContain("pods/a", "pods/b", "pods/c");
        assertThat(replica.reason)
                .contains("/registry/pods/a (missing, etcd has it at 3)")
                .contains("/registry/pods/b (here at 2, in etcd at 4)")
                .contains("/registry/pods/c (here at 5, not in etcd)");
        assertThat(shown().topicSuspected()).isFalse();
        assertThat(check.report().mismatches()).hasSize(1);
        minuteLater();
        assertThat(shown().provenRevision()).isEqualTo(11);
        assertThat(shown().finding()).isEmpty();
        assertThat(shown().rebuilds()).isEqualTo(1);
    }

    @Test
    void comparesTheMetadataFamilyToo() throws Exception {
        replica.metadata.remove(A);
        check.round();

        assertThat(replica.rebuilds).isEqualTo(1);
        assertThat(shown().finding()).contains("of the metadata kept apart").contains("1 missing");
    }

    @Test
    void rebuildsAReplicaWhoseChecksumsLostAKey() throws Exception {
        replica.checksums.remove(A);
        check.round();

        assertThat(replica.rebuilds).isEqualTo(1);
        assertThat(shown().finding()).contains("of the checksums").contains("1 missing");
    }

    @Test
    void comparesTheProtobufFamilyToo() throws Exception {
        replica.protobuf.put(A, 1L);
        check.round();

        assertThat(replica.rebuilds).isEqualTo(1);
        assertThat(shown().finding()).contains("of the protobuf kept apart");
    }

    @Test
    void reportsAWrongTopicWithoutEndlessRebuilds() throws Exception {
        topic.remove(A);
        replica.objects.remove(A);
        check.round();
        for (int minute = 1; minute < 9; minute++) {
            minuteLater();
        }

        assertThat(replica.rebuilds).isEqualTo(1);
        assertThat(shown().topicSuspected()).isTrue();
        assertThat(shown().provenRevision()).isZero();
        assertThat(shown().text(millis)).contains("THE TOPIC DIFFERS FROM ETCD");
        topic.put(A, 3L);
        replica = new FakeReplica(topic);
        minuteLater();
        assertThat(shown().good()).isTrue();
    }

    @Test
    void differingDigestsAloneAreNoAlarm() throws Exception {
        replica.objects.remove(A);
        beforeKeys = () -> replica.objects.put(A, 3L);
        check.round();

        assertThat(replica.rebuilds).isZero();
        assertThat(shown().provenRevision()).isZero();
        assertThat(shown().pending()).contains("the keys do not");
    }

    @Test
    void interveningEventsMakeItInconclusive() throws Exception {
        replica.objects.remove(A);
        keysFail = "compacted";
        check.round();
        assertThat(shown().pending()).contains("compacted");
        keysFail = "";
        beforeKeys = () -> replica.state = stateAt(1, 50, 100); // The floor rises.
        minuteLater();
        assertThat(shown().pending()).contains("floor");
        replica.state = stateAt(2, 2, 100);
        minuteLater();
        assertThat(shown().pending()).contains("epoch 2");
        replica.state = stateAt(1, 2, 5);
        minuteLater();
        assertThat(shown().pending()).contains("watermark is 5");
        digestsFail = "the connector does not answer";
        minuteLater();
        assertThat(check.report().trouble()).contains("does not answer");

        assertThat(replica.rebuilds).isZero();
        assertThat(check.report().mismatches()).isEmpty();
        assertThat(shown().finding()).isEmpty();
    }

    @Test
    void comparesALaggingReplicaOnceItHasCaughtUp() throws Exception {
        replica.state = stateAt(1, 2, 5);
        check.round();
        assertThat(shown().provenRevision()).isZero();
        replica.state = stateAt(1, 2, 10);
        check.round();
        assertThat(shown().provenRevision()).isEqualTo(10);
    }

    @Test
    void rebuildsACorruptReplicaAtOnceThenRarely() throws Exception {
        replica.fault = "block checksum mismatch";
        check.round();
        assertThat(replica.rebuilds).isEqualTo(1);
        replica.fault = "again";
        minuteLater();
        assertThat(replica.rebuilds).isEqualTo(1);
        millis += 600_000;
        check.round();
        assertThat(replica.rebuilds).isEqualTo(2);
        assertThat(shown().topicSuspected()).isFalse();
    }
}
