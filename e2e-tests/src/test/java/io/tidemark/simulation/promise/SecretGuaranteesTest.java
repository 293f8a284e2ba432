package io.tidemark.simulation.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.record.secret.PutSealer;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.ModelFilter.Secrets;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.Received;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What the oracle accepts of Secrets. Of the key {@code s}: a pod at 8, a Secret at 9, a pod at 10.
 */
class SecretGuaranteesTest extends ModelFixture {
    private static final ModelFilter HIDING = PODS.with(Secrets.ABSENT);
    private static final Payload SECRET = Payload.secret("s", Map.of("app", "web"), 9);
    private static final Received ADDED = added("s", "web", 8);
    private static final Received SHOWN =
            new Received.Event(1, EventType.MODIFIED, 9, key("s"), SECRET.shown());

    private final PutSealer sealer = new PutSealer(KeyRing.parse(KeyRing.randomText("k")));

    SecretGuaranteesTest() {
        commit(payload("s", "web", 8));
        commit(SECRET);
        commit(payload("s", "web", 10));
    }

    private void commit(Payload payload) {
        Map<Bytes, @Nullable Payload> one = new LinkedHashMap<>();
        one.put(key("s"), payload);
        long unused = model.commit(one, 0, 9_000);
    }

    @Test
    void aHiddenSecretLooksDeleted() {
        Received left = deleted("s", "web", 9, 8);
        Received back = added("s", "web", 10);
        assertThat(broken(watch(HIDING, 7, ADDED, left, back, bookmark(10)))).isEmpty();
        assertThat(broken(watch(PODS, 7, ADDED, SHOWN, modified("s", "web", 10), bookmark(10))))
                .isEmpty();
    }

    @Test
    void aHiddenSecretThatIsSentBreaksAuthorized() {
        assertThat(broken(watch(HIDING, 7, ADDED, SHOWN))).contains(Promise.AUTHORIZED);
        assertThat(broken(watch(PODS, 7, ADDED, SHOWN))).isEmpty();
    }

    @Test
    void aSecretOfTheTopicIsEncrypted() {
        assertThat(atNine(sealer.seal(put(SECRET.shown())))).isEmpty();
        assertThat(atNine(put(SECRET.shown()))).contains(Promise.AUTHORIZED);
        assertThat(atNine(put(SECRET.shown().replace("Secret", "Pod"))))
                .contains(Promise.AUTHORIZED);
        assertThat(atNine(sealer.seal(put("{\"another\":1}")))).contains(Promise.RELIABLE);
    }

    /** What a record breaks, or the mark after it. */
    private Optional<Promise> atNine(Change.Put put) {
        TopicGuarantees topic =
                new TopicGuarantees(
                        0, 1, epoch -> Optional.of(model.epoch(epoch)), Optional.of(sealer));
        Optional<Violation> unused = topic.take(mark(8, Kind.LIST_BEGIN));
        unused = topic.take(mark(8, Kind.LIST_END));
        return topic.take(put).or(() -> topic.take(mark(9, Kind.PROGRESS))).map(Violation::promise);
    }

    private static Change.TideMark mark(long revision, Kind kind) {
        return new Change.TideMark(1, revision, kind, 7, "");
    }

    private static Change.Put put(String shown) {
        String value = shown.replace("\"labels\"", "\"resourceVersion\":\"9\",\"labels\"");
        return new Change.Put(
                1,
                9,
                0,
                key("s"),
                Bytes.utf8(value),
                ContentType.KUBERNETES_JSON,
                8,
                2,
                0,
                false,
                "");
    }
}
