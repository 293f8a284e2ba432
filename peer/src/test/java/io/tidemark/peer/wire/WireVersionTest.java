package io.tidemark.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.tidemark.peer.wire.WireSamples.Exchange;
import io.tidemark.record.Bytes;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds in every version of the wire format. */
class WireVersionTest {
    private static final long LIMIT = 1 << 20;

    static List<WireVersion> versions() {
        return WireVersions.all().spoken();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void decodesWhatItEncodes(WireVersion version) throws WireException {
        for (ReadRequest<?> request : WireSamples.requests()) {
            byte[] bytes = version.encodeRequest(new WireRequest(request, LIMIT));
            assertThat(version.decodeRequest(bytes).read()).isEqualTo(request);
        }
        for (Exchange<?> exchange : WireSamples.exchanges()) {
            WireAnswer<?> answer = exchange.decodeAnswer(version, exchange.encodeAnswer(version));
            assertThat(answer.state()).isEqualTo(WireSamples.STATE);
            assertThat(answer.outcome()).isEqualTo(exchange.outcome());
        }
        for (StateFrame frame : WireSamples.frames()) {
            assertThat(version.decodeFrame(version.encodeFrame(frame))).isEqualTo(frame);
        }
    }

    /** Nodes of the version before know nothing of it. */
    @Test
    void carriesBridgedGapsFromVersion6On() throws WireException {
        for (WireVersion version : versions()) {
            PartitionState bridged = WireSamples.STATE.with(new BridgedGap(11, 29));
            StateFrame frame = new StateFrame(false, Map.of(3, bridged), Map.of());
            StateFrame read = version.decodeFrame(version.encodeFrame(frame));
            assertThat(read.moved())
                    .containsOnly(entry(3, version.number() < 6 ? WireSamples.STATE : bridged));
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void carriesShards(WireVersion version) throws WireException {
        byte[] bytes = version.encodeRequest(new WireRequest(WireSamples.SHARD, LIMIT));
        assertThat(version.decodeRequest(bytes).read()).isEqualTo(WireSamples.SHARD);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("fffffffffffffff7");
        bytes[at] = 'g';
        assertThatThrownBy(() -> version.decodeRequest(bytes)).isInstanceOf(WireException.class);
    }

    /**
     * A released version never changes: nodes of other releases speak it. A failure here means that
     * the change needs a new version, or a copy of the shared codec for the older ones.
     */
    @ParameterizedTest
    @MethodSource("versions")
    void keepsItsGoldenBytes(WireVersion version) throws IOException {
        Map<String, String> actual = new LinkedHashMap<>();
        WireSamples.encode(version)
                .forEach((name, bytes) -> actual.put(name, HexFormat.of().formatHex(bytes)));
        assertThat(actual).isEqualTo(golden(version));
    }

    private static Map<String, String> golden(WireVersion version) throws IOException {
        Map<String, String> golden = new LinkedHashMap<>();
        String file = "/wire/version-" + version.number() + ".txt";
        try (InputStream in = WireVersionTest.class.getResourceAsStream(file)) {
            assertThat(in).as(file).isNotNull();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" ", 2))
                    .forEach(pair -> golden.put(pair[0], pair[1]));
        }
        return golden;
    }

    @ParameterizedTest
    @MethodSource("versions")
    void refusesCorruptBytesCheaply(WireVersion version) {
        SplittableRandom random = new SplittableRandom(1);
        List<ReadRequest<?>> requests = WireSamples.requests();
        List<Exchange<?>> exchanges = WireSamples.exchanges();
        List<StateFrame> frames = WireSamples.frames();
        for (int i = 0; i < 10_000; i++) {
            ReadRequest<?> request = requests.get(random.nextInt(requests.size()));
            byte[] question =
                    corrupt(version.encodeRequest(new WireRequest(request, LIMIT)), random);
            refuses(() -> version.decodeRequest(question));
            Exchange<?> exchange = exchanges.get(random.nextInt(exchanges.size()));
            byte[] answer = corrupt(exchange.encodeAnswer(version), random);
            refuses(() -> exchange.decodeAnswer(version, answer));
            byte[] frame =
                    corrupt(version.encodeFrame(frames.get(random.nextInt(frames.size()))), random);
            refuses(() -> version.decodeFrame(frame));
        }
        byte[] claimsMuch = {'u', 0x7f, -1, -1, -1, 0};
        assertThatThrownBy(() -> version.decodeRequest(claimsMuch))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> version.decodeFrame(new byte[] {0, 0x7f, -1, -1, -1}))
                .isInstanceOf(WireException.class);
    }

    private interface Decoding {
        Object run() throws WireException;
    }

    /** Or decodes to something: not every bit can be verified. */
    private static void refuses(Decoding decoding) {
        try {
            assertThat(decoding.run()).isNotNull();
        } catch (WireException e) {
            assertThat(e).hasMessageNotContaining("null");
        }
    }

    private static byte[] corrupt(byte[] bytes, SplittableRandom random) {
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return Arrays.copyOf(bytes, random.nextInt(bytes.length + 3));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void refusesASelectionAboveTheBounds(WireVersion version) {
        Requirement term = new Requirement(Source.FIELD, "spec.x", Operator.NOT_IN, Set.of("1"));
        byte[] terms = scanFor(version, Collections.nCopies(4_600, term));
        assertThatThrownBy(() -> version.decodeRequest(terms))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("4600 requirements");
        Set<String> values = new TreeSet<>();
        for (int i = 0; i < 1_002; i++) {
            values.add("v" + i);
        }
        Requirement many = new Requirement(Source.LABEL, "app", Operator.NOT_IN, values);
        byte[] manyValues = scanFor(version, List.of(many));
        assertThatThrownBy(() -> version.decodeRequest(manyValues))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("1002 values");
    }

    private static byte[] scanFor(WireVersion version, List<Requirement> requirements) {
        Selection selection = new Selection(true, requirements);
        return version.encodeRequest(
                new WireRequest(
                        new ScanRequest(Bytes.EMPTY, Bytes.EMPTY, 1, selection, 1, 1), LIMIT));
    }
}
