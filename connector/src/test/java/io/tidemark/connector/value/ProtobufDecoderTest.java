package io.tidemark.connector.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ProtobufDecoderTest {
    private static final KubernetesKeys KEYS = new KubernetesKeys(Bytes.utf8("/registry/"));
    private static final String DIRECTORY = "/registry/configmaps/ns/";

    private final ProtobufDecoder decoder = new ProtobufDecoder();

    @Test
    void decodesAnObjectToItsServedJson() {
        Bytes key = Bytes.utf8(DIRECTORY + "a");
        assertThat(reader(decoder).read(key, Protobuf.configMap("a", "x<y"), 7))
                .isEqualTo(
                        new ClassifiedValue.KubernetesObject(
                                Bytes.utf8(
                                        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                                            + "{\"name\":\"a\",\"resourceVersion\":\"7\"},"
                                            + "\"data\":{\"text\":\"x\\u003cy\"}}")));
    }

    @Test
    void readsItsOutputAgainOnlyWhenThatMayChangeIt() {
        String shallow = "{\"f:a\":{\"é\":[ 1, \"<\" ]}}";
        String deep = "[".repeat(300).concat("]".repeat(300));
        Bytes invalid = Bytes.utf8("{\"f:a\":\"").concat(Bytes.wrap(new byte[] {(byte) 0xc3}));
        Map<Bytes, Boolean> canonical =
                Map.of(
                        Protobuf.configMap("a", "x<y"), true,
                        Protobuf.named("a"), true,
                        Protobuf.named(""), false,
                        Protobuf.managed("a", Bytes.utf8(shallow)), true,
                        Protobuf.managed("", Bytes.utf8(shallow)), false,
                        Protobuf.managed("a", Bytes.utf8(deep)), false,
                        Protobuf.managed("a", invalid.concat(Bytes.utf8("\"}"))), false);
        ValueDecoder unsure =
                (key, value, revision) ->
                        decoder.decode(key, value, revision)
                                        instanceof ValueDecoder.Outcome.Json(Bytes json, _)
                                ? new ValueDecoder.Outcome.Json(json, false)
                                : decoder.decode(key, value, revision);
        Bytes key = Bytes.utf8(DIRECTORY + "a");
        canonical.forEach((value, expected) -> {
            assertThat(decoder.decode(key, value, 7))
                    .isInstanceOfSatisfying(
                            ValueDecoder.Outcome.Json.class,
                            json -> assertThat(json.canonical()).isEqualTo(expected));
            assertThat(reader(decoder).read(key, value, 7))
                    .isEqualTo(reader(unsure).read(key, value, 7));
        });
        assertThat(decoder.decode(key, Protobuf.named("a"), 0))
                .isInstanceOfSatisfying(
                        ValueDecoder.Outcome.Json.class,
                        json -> assertThat(json.canonical()).isFalse());
    }

    @Test
    void countsEachRejectionReasonSeparately() {
        Bytes good = Protobuf.configMap("a", "text");
        Map<UnreadableReason, Bytes> refused =
                Map.of(
                        UnreadableReason.UNKNOWN_KIND,
                        Protobuf.envelope("v9", "ConfigMap", Bytes.EMPTY),
                        UnreadableReason.MALFORMED_PROTOBUF,
                        good.slice(0, good.length() - 1),
                        UnreadableReason.TOO_LARGE,
                        good.concat(Bytes.wrap(new byte[8 << 20])),
                        UnreadableReason.ENCRYPTED,
                        Bytes.utf8("k8s:enc:kms:v2:name:x"));
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ConnectorMetrics metrics = new ConnectorMetrics(registry);
        try (ParallelMap alone = new ParallelMap(1)) {
            ChangeBuilder builder = builder(decoder, alone);
            refused.forEach((reason, value) -> {
                KeyValue stored = keyValue("a", value);
                DeadLetter letter =
                        Objects.requireNonNull(
                                builder.listed(1, List.of(stored)).getFirst().deadLetter());
                assertThat(letter.reason()).isEqualTo(reason);
                assertThat(letter.why()).isNotBlank();
                metrics.deadLetter(letter.reason());
            });
        }
        for (UnreadableReason reason : UnreadableReason.values()) {
            double count =
                    registry.get("tidemark.connector.dead_letters")
                            .tag("reason", reason.label())
                            .counter()
                            .count();
            assertThat(count).as(reason.label()).isEqualTo(refused.containsKey(reason) ? 1 : 0);
        }
    }

    @Test
    void dropsAndCountsUnknownFields() {
        Bytes message =
                Protobuf.field(1, Protobuf.field(1, Bytes.utf8("a")))
                        .concat(Protobuf.field(14, Bytes.utf8("new")))
                        .concat(Protobuf.field(15, Bytes.utf8("newer")));
        Bytes value = Protobuf.envelope("v1", "ConfigMap", message);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new ConnectorMetrics(registry).show(decoder);
        assertThat(decoder.decode(Bytes.EMPTY, value, 7))
                .isEqualTo(decoder.decode(Bytes.EMPTY, Protobuf.named("a"), 7));
        assertThat(registry.get("tidemark.connector.unknown_fields").functionCounter().count())
                .isEqualTo(2);
    }

    @Test
    void decodesALargeBatchInParallelAndKeepsItsOrder() {
        List<KeyValue> page = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            page.add(keyValue("c" + i, Protobuf.configMap("c" + i, "y".repeat(2_000))));
        }
        // Two decoders that wait for each other can only continue when they run at the same time.
        CyclicBarrier together = new CyclicBarrier(2);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        ValueDecoder meeting =
                (key, value, revision) -> {
                    if (threads.add(Thread.currentThread())) {
                        meet(together);
                    }
                    return decoder.decode(key, value, revision);
                };
        try (ParallelMap two = new ParallelMap(2);
                ParallelMap alone = new ParallelMap(1)) {
            List<MirrorEntry> onTwo = builder(meeting, two).listed(1, page);
            assertThat(onTwo).isEqualTo(builder(decoder, alone).listed(1, page));
            assertThat(onTwo).allMatch(mirrored -> mirrored.deadLetter() == null);
        }
        assertThat(threads).hasSize(2);
    }

    private static void meet(CyclicBarrier together) {
        try {
            int _ = together.await(3, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("the other worker did not run in parallel", e);
        }
    }

    private static ValueReader reader(ValueDecoder decoder) {
        return new ValueReader(KEYS, decoder);
    }

    private static ChangeBuilder builder(ValueDecoder decoder, ParallelMap parallel) {
        return new ChangeBuilder(KEYS, reader(decoder), parallel, false, 32 << 20);
    }

    private static KeyValue keyValue(String name, Bytes value) {
        return new KeyValue(Bytes.utf8(DIRECTORY + name), value, 7, 7, 1, 0);
    }
}
