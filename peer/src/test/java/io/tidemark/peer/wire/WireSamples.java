package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.HashRange;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** One message of each kind and shape. Their bytes are in the golden files: do not change them. */
final class WireSamples {
    /** At revision 7, with the label app=web and no spec.nodeName, as release 0.1.0 stored it. */
    static final StoredObject POD =
            new StoredObject(
                    Bytes.utf8("/registry/pods/x/\u00e4\0b"),
                    HexFormat.of()
                            .parseHex(
                                    "02090000000000000007000000000000000500000000000000020000000000000009"
                                        + "00000020000000530000000c00000017"
                                        + "66000d737065632e6e6f64654e616d6500000000"
                                        + "6c000361707000000003776562"
                                        + "7b226d65746164617461223a7b227265736f7572636556657273696f6e223a2237227d7d"));

    private static final Selection SELECTION =
            new Selection(
                    true,
                    Arrays.stream(Operator.values())
                            .filter(operator -> operator != Operator.HASH_IN)
                            .map(operator ->
                                    new Requirement(
                                            operator.ordinal() % 2 == 0
                                                    ? Source.LABEL
                                                    : Source.FIELD,
                                            "name" + operator,
                                            operator,
                                            Set.of("\u00fc")))
                            .toList());

    /** Of a shard, which nodes before 0.2 refuse. */
    static final ScanRequest SHARD =
            new ScanRequest(
                    Bytes.utf8("/a"),
                    Bytes.EMPTY,
                    7,
                    new Selection(
                            true,
                            List.of(
                                    new Requirement(
                                            Source.FIELD,
                                            "metadata.uid",
                                            Operator.HASH_IN,
                                            Set.of(new HashRange(-9, -1).toString())))),
                    1,
                    2,
                    Projection.METADATA);

    static final PartitionState STATE =
            new PartitionState(true, 2, -3, 4, 5, 6, 7, 8, 9, "http://127.0.0.1:8090");

    static final ChangePage CHANGES =
            new ChangePage(
                    List.of(
                            new ObjectChange(7, 0, POD.key(), POD, null),
                            new ObjectChange(8, 3, POD.key(), POD, POD),
                            new ObjectChange(9, 0, POD.key(), null, POD)),
                    9);

    static final GetRequest GET = new GetRequest(POD.key(), Long.MAX_VALUE, Projection.METADATA);
    static final ScanRequest SCAN =
            new ScanRequest(Bytes.utf8("/a"), Bytes.EMPTY, 7, SELECTION, 1, 2, Projection.METADATA);
    static final ChangesRequest CHANGES_REQUEST = new ChangesRequest(Bytes.EMPTY, 1, 9, 3, 4);
    static final VersionsRequest VERSIONS = new VersionsRequest(POD.key(), 3, 9, 4, 5);
    static final RevisionAtRequest TIME = new RevisionAtRequest(1_700_000_000_000L);
    static final UnreadableRequest UNREADABLE = new UnreadableRequest(Bytes.utf8("/p"), 20);

    private WireSamples() {}

    /** A read with an outcome. */
    record Exchange<T>(ReadRequest<T> request, ReadOutcome<T> outcome) {
        byte[] encodeAnswer(WireVersion version) {
            return version.encodeAnswer(request, new WireAnswer<>(STATE, outcome), 64);
        }

        WireAnswer<T> decodeAnswer(WireVersion version, byte[] bytes) throws WireException {
            return version.decodeAnswer(request, bytes);
        }
    }

    static List<ReadRequest<?>> requests() {
        return List.of(GET, SCAN, CHANGES_REQUEST, VERSIONS, TIME, UNREADABLE);
    }

    static List<Exchange<?>> exchanges() {
        List<Exchange<?>> all = new ArrayList<>();
        add(all, GET, Optional.of(POD));
        add(all, GET, Optional.empty());
        add(all, SCAN, new ScanPage(List.of(POD, POD), Optional.of(Bytes.utf8("next"))));
        add(all, SCAN, new ScanPage(List.of(), Optional.empty()));
        add(all, CHANGES_REQUEST, CHANGES);
        add(
                all,
                VERSIONS,
                new VersionPage(
                        Arrays.stream(KeyVersion.Step.values())
                                .map(step -> new KeyVersion(7, 1_700, step, POD))
                                .toList(),
                        9,
                        3));
        add(all, TIME, new RevisionAtTime(OptionalLong.of(7), true, 1_600));
        add(all, TIME, new RevisionAtTime(OptionalLong.empty(), false, 0));
        add(
                all,
                UNREADABLE,
                new UnreadablePage(
                        List.of(new UnreadablePage.Unreadable(POD.key(), "encrypted")), true));
        all.add(new Exchange<>(GET, new ReadOutcome.Expired<>(4)));
        all.add(new Exchange<>(GET, new ReadOutcome.TooNew<>(5)));
        all.add(new Exchange<>(GET, new ReadOutcome.ReplicaUnavailable<>("moved")));
        return all;
    }

    private static <T> void add(List<Exchange<?>> all, ReadRequest<T> request, T value) {
        all.add(new Exchange<>(request, new ReadOutcome.Served<>(value)));
    }

    static List<StateFrame> frames() {
        return List.of(
                new StateFrame(true, Map.of(), Map.of()),
                new StateFrame(false, Map.of(0, PartitionState.EMPTY), Map.of()),
                new StateFrame(
                        false, Map.of(41, STATE), Map.of(41, new PushedChanges(3, CHANGES))));
    }

    /** The bytes of all messages in a version, by name. */
    static Map<String, byte[]> encode(WireVersion version) {
        Map<String, byte[]> messages = new LinkedHashMap<>();
        for (ReadRequest<?> request : requests()) {
            messages.put(
                    "request-" + request.getClass().getSimpleName(),
                    version.encodeRequest(new WireRequest(request, 1 << 20)));
        }
        int number = 0;
        for (Exchange<?> exchange : exchanges()) {
            messages.put("answer-" + number++, exchange.encodeAnswer(version));
        }
        number = 0;
        for (StateFrame frame : frames()) {
            messages.put("frame-" + number++, version.encodeFrame(frame));
        }
        return messages;
    }
}
