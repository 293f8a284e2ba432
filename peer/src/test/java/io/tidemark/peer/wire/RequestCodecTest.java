package io.tidemark.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.GetRequest;
import io.tidemark.view.KeyVersion;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.PartitionState;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ReadRequest;
import io.tidemark.view.RevisionAtRequest;
import io.tidemark.view.RevisionAtTime;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.UnreadablePage;
import io.tidemark.view.UnreadableRequest;
import io.tidemark.view.VersionPage;
import io.tidemark.view.VersionsRequest;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RequestCodecTest {
    private static final StoredObject POD =
            StoredObject.encode(
                    Bytes.utf8("/registry/pods/x/\u00e4\0b"),
                    Bytes.utf8("{\"metadata\":{\"resourceVersion\":\"7\"}}"),
                    ContentType.KUBERNETES_JSON,
                    7,
                    5,
                    2,
                    9,
                    "",
                    Map.of("app", "web"),
                    Map.of("spec.nodeName", ""),
                    32);

    private static final Selection SELECTION =
            new Selection(
                    true,
                    Arrays.stream(Operator.values())
                            .map(operator ->
                                    new Requirement(
                                            operator.ordinal() % 2 == 0
                                                    ? Source.LABEL
                                                    : Source.FIELD,
                                            "name" + operator,
                                            operator,
                                            Set.of("a", "", "\u00fc")))
                            .toList());

    private static final List<ReadRequest<?>> REQUESTS =
            List.of(
                    new GetRequest(POD.key(), Long.MAX_VALUE, Projection.METADATA),
                    new ScanRequest(
                            Bytes.utf8("/a"), Bytes.EMPTY, 7, SELECTION, 1, 2, Projection.METADATA),
                    new ChangesRequest(Bytes.EMPTY, 1, 9, 3, 4),
                    new VersionsRequest(POD.key(), 3, 9, 4, 5),
                    new RevisionAtRequest(1_700_000_000_000L),
                    new UnreadableRequest(Bytes.utf8("/p"), 20));

    private static final ChangePage CHANGES =
            new ChangePage(
                    List.of(
                            new ObjectChange(7, 0, POD.key(), POD, null),
                            new ObjectChange(8, 3, POD.key(), POD, POD),
                            new ObjectChange(9, 0, POD.key(), null, POD)),
                    9);

    @Test
    void encodesAndDecodesEveryRequest() throws WireException {
        for (ReadRequest<?> request : REQUESTS) {
            assertThat(RequestCodec.read(RequestCodec.write(request))).isEqualTo(request);
        }
    }

    @Test
    void encodesAndDecodesEveryOutcome() throws WireException {
        GetRequest get = new GetRequest(POD.key(), 7, Projection.WHOLE);
        assertArrives(get, Optional.of(POD));
        assertArrives(get, Optional.empty());
        ScanRequest scan = new ScanRequest(Bytes.EMPTY, Bytes.EMPTY, 7, Selection.ALL, 1, 1);
        assertArrives(scan, new ScanPage(List.of(POD, POD), Optional.of(Bytes.utf8("next"))));
        assertArrives(scan, new ScanPage(List.of(), Optional.empty()));
        assertArrives(new ChangesRequest(Bytes.EMPTY, 1, 9, 3, 4), CHANGES);
        assertArrives(
                new VersionsRequest(POD.key(), 3, 9, 4, 5),
                new VersionPage(
                        Arrays.stream(KeyVersion.Step.values())
                                .map(step -> new KeyVersion(7, 1_700, step, POD))
                                .toList(),
                        9,
                        3));
        RevisionAtRequest at = new RevisionAtRequest(1_700);
        assertArrives(at, new RevisionAtTime(OptionalLong.of(7), true, 1_600));
        assertArrives(at, new RevisionAtTime(OptionalLong.empty(), false, 0));
        assertArrives(
                new UnreadableRequest(Bytes.EMPTY, 3),
                new UnreadablePage(
                        List.of(new UnreadablePage.Unreadable(POD.key(), "encrypted")), true));
    }

    private static <T> void assertArrives(ReadRequest<T> request, T value) throws WireException {
        for (ReadOutcome<T> outcome :
                List.of(
                        new ReadOutcome.Served<>(value),
                        new ReadOutcome.Expired<T>(4),
                        new ReadOutcome.TooNew<T>(5),
                        new ReadOutcome.ReplicaUnavailable<T>("moved"))) {
            WireOutput out = new WireOutput();
            RequestCodec.writeOutcome(request, outcome, out);
            WireInput in = new WireInput(out.toByteArray());
            assertThat(RequestCodec.readOutcome(request, in)).isEqualTo(outcome);
            in.end();
        }
    }

    @Test
    void encodesAndDecodesFrames() throws WireException {
        PartitionState state =
                new PartitionState(true, 2, -3, 4, 5, 6, 7, 8, 9, "http://127.0.0.1:8090");
        Map<Integer, PartitionState> moved = Map.of(0, PartitionState.EMPTY, 41, state);
        for (StateFrame frame :
                List.of(
                        new StateFrame(false, moved, Map.of()),
                        new StateFrame(true, moved, Map.of(41, new PushedChanges(3, CHANGES))),
                        new StateFrame(true, Map.of(), Map.of()))) {
            assertThat(StateCodec.readFrame(StateCodec.frame(frame))).isEqualTo(frame);
        }
    }

    @Test
    void refusesCorruptBytesCheaply() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = RequestCodec.write(REQUESTS.get(random.nextInt(REQUESTS.size())));
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] broken = Arrays.copyOf(bytes, random.nextInt(bytes.length + 3));
            try {
                assertThat(RequestCodec.read(broken)).isNotNull();
            } catch (WireException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
        byte[] claimsMuch = {'u', 0x7f, -1, -1, -1, 0};
        assertThatThrownBy(() -> RequestCodec.read(claimsMuch)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> StateCodec.readFrame(new byte[] {0, 0x7f, -1, -1, -1}))
                .isInstanceOf(WireException.class);
    }

    @Test
    void refusesASelectionAboveTheBounds() {
        Requirement term = new Requirement(Source.FIELD, "spec.x", Operator.NOT_IN, Set.of("1"));
        assertThatThrownBy(() -> RequestCodec.read(scanFor(Collections.nCopies(4_600, term))))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("4600 requirements");
        Set<String> values = new TreeSet<>();
        for (int i = 0; i < 1_002; i++) {
            values.add("v" + i);
        }
        Requirement many = new Requirement(Source.LABEL, "app", Operator.NOT_IN, values);
        assertThatThrownBy(() -> RequestCodec.read(scanFor(List.of(many))))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("1002 values");
    }

    private static byte[] scanFor(List<Requirement> requirements) {
        return RequestCodec.write(
                new ScanRequest(
                        Bytes.EMPTY, Bytes.EMPTY, 1, new Selection(true, requirements), 1, 1));
    }
}
