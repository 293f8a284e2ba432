package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.ProtobufEncoding.Message;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Compares reads of the protobuf form with whole objects: each is the message that the encoding
 * makes of that object, or the whole object, and at the newest revision no message is missing.
 */
final class ProtobufComparison {
    private static final List<List<Requirement>> REQUIREMENTS =
            List.of(
                    List.of(),
                    List.of(new Requirement(Source.LABEL, "app", Operator.IN, Set.of("v1"))),
                    List.of(new Requirement(Source.FIELD, "spec.size", Operator.IN, Set.of("1"))),
                    List.of(
                            new Requirement(
                                    Source.FIELD, "spec.nodeName", Operator.IN, Set.of("n1"))));

    private final PartitionView view;
    private final Optional<ProtobufEncoding> encoding;
    private final SplittableRandom random;
    private int messages;

    /**
     * @param encoding of the store
     */
    ProtobufComparison(
            PartitionView view, Optional<ProtobufEncoding> encoding, SplittableRandom random) {
        this.view = view;
        this.encoding = encoding;
        this.random = random;
    }

    /** How many messages were compared. */
    int messages() {
        return messages;
    }

    /** Fails at the first difference. */
    void compareAt(long revision, boolean newest) {
        for (List<Requirement> requirements : REQUIREMENTS) {
            Selection selection = new Selection(random.nextBoolean(), requirements);
            List<StoredObject> whole = scan(revision, selection, Projection.WHOLE);
            for (Projection form : forms()) {
                List<StoredObject> found = scan(revision, selection, form);
                assertThat(found).as("%s at %d", form, revision).hasSameSizeAs(whole);
                for (int i = 0; i < whole.size(); i++) {
                    compare(whole.get(i), found.get(i), form, newest);
                    if (random.nextInt(4) == 0) {
                        GetRequest one = new GetRequest(whole.get(i).key(), revision, form);
                        assertThat(served(one)).contains(found.get(i));
                    }
                }
            }
        }
    }

    private static List<Projection> forms() {
        return List.of(
                new Projection.Protobuf(MarkedMessages.TYPE),
                new Projection.ProtobufLength(MarkedMessages.TYPE));
    }

    private void compare(StoredObject whole, StoredObject found, Projection form, boolean newest) {
        byte[] message =
                encoding.flatMap(present -> present.encode(whole))
                        .filter(made -> made.type().equals(MarkedMessages.TYPE))
                        .map(Message::bytes)
                        .orElse(null);
        int length = ProtobufForm.length(found, MarkedMessages.TYPE);
        if (length < 0) {
            assertThat(found).isEqualTo(whole);
            assertThat(newest && message != null).as("no message of %s", whole).isFalse();
            return;
        }
        messages++;
        assertThat(message).as("message of %s", whole).hasSize(length);
        assertThat(found.key()).isEqualTo(whole.key());
        assertThat(found.revision()).isEqualTo(whole.revision());
        assertThat(found.labels()).isEqualTo(whole.labels());
        if (form instanceof Projection.Protobuf) {
            assertThat(ProtobufForm.isMessage(found)).isTrue();
            assertThat(found.valueCopy()).isEqualTo(message);
        } else {
            assertThat(found.valueLength()).isZero();
        }
    }

    private List<StoredObject> scan(long revision, Selection selection, Projection form) {
        List<StoredObject> objects = new ArrayList<>();
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        while (from.isPresent()) {
            ScanPage page =
                    served(
                            new ScanRequest(
                                    Bytes.EMPTY,
                                    from.get(),
                                    revision,
                                    selection,
                                    1 + random.nextInt(8),
                                    1 + random.nextInt(3000),
                                    form));
            objects.addAll(page.objects());
            from = page.nextKey();
        }
        return objects;
    }

    private <T> T served(ReadRequest<T> request) {
        ReadOutcome<T> outcome = view.read(request);
        assertThat(outcome).isInstanceOf(ReadOutcome.Served.class);
        return ((ReadOutcome.Served<T>) outcome).value();
    }
}
