package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.serving.watch.WatchMailbox.Mail;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventDemuxTest {
    private static final long EPOCH = 1;
    private static final KeyScope EVERYTHING = KeyScope.prefix(Bytes.utf8("/"));
    private static final WatchLimits LIMITS =
            new WatchLimits(10, 1_000, 200_000, 10, 1 << 20, new PageLimits(10, 1 << 20));

    private final WindowBudget budget = new WindowBudget(LIMITS.windowBytes());
    private final EventDemux demux = new EventDemux(LIMITS, budget);

    EventDemuxTest() {
        budget.enter();
        demux.restart(EPOCH, 0);
    }

    private WatchMailbox join(Selection selection) {
        return demux.join(
                        new WatchFilter(EVERYTHING, selection, WatchFilter.WITHOUT_VERSIONS),
                        EPOCH,
                        0)
                .orElseThrow()
                .watcher();
    }

    private static Selection byValue(Operator operator) {
        return new Selection(
                true, List.of(new Requirement(Source.FIELD, "spec.x", operator, Set.of("1"))));
    }

    /** Matching by value fails: it has only metadata. */
    private static ObjectChange unmatchable(int revision) {
        StoredObject object = object(revision, 900).metadataOnly();
        return new ObjectChange(revision, 0, object.key(), object, null);
    }

    private static StoredObject object(int revision, int size) {
        return StoredObjects.of(
                "/a",
                revision,
                "{\"kind\":\"A\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%d\"},\"data\":\"%s\"}"
                        .formatted(revision, "x".repeat(size)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Operator.class,
            names = {"IN", "NOT_IN"})
    void matchesByValueOnTheThreadOfTheWatch(Operator operator) throws Exception {
        WatchMailbox expensive = join(byValue(operator));
        WatchMailbox other = join(Selection.OBJECTS);
        demux.publish(new ChangePage(List.of(unmatchable(1)), 1));
        assertThat(events(other))
                .singleElement()
                .satisfies(it -> assertThat(it.delivery()).isPresent());
        QueuedEvent undecided = events(expensive).getFirst();
        assertThatThrownBy(undecided::delivery)
                .as("on the watch's thread")
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void evaluatesManyTermsOnTheThreadOfTheWatch() throws Exception {
        List<Requirement> terms = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            terms.add(new Requirement(Source.LABEL, "l" + i, Operator.EXISTS, Set.of()));
        }
        WatchMailbox watcher = join(new Selection(true, terms));
        StoredObject object = object(1, 10);
        demux.publish(
                new ChangePage(List.of(new ObjectChange(1, 0, object.key(), object, null)), 1));
        assertThat(events(watcher))
                .singleElement()
                .satisfies(it -> assertThat(it.delivery()).isEmpty());
    }

    @Test
    void countsEncodedLinesInTheWindow() throws Exception {
        WatchMailbox watcher = join(Selection.OBJECTS);
        StoredObject object = object(1, 60_000);
        demux.publish(
                new ChangePage(List.of(new ObjectChange(1, 0, object.key(), object, null)), 1));
        long bare = demux.windowBytes();
        assertThat(bare).isGreaterThan(60_000);
        Delivery delivery = events(watcher).getFirst().delivery().orElseThrow();
        delivery.line(new Form("a"));
        assertThat(demux.windowBytes()).isEqualTo(bare + Form.BYTES);
        delivery.line(new Form("a"));
        assertThat(demux.windowBytes()).isEqualTo(bare + Form.BYTES);
        delivery.line(new Form("b"));
        delivery.line(new Form("c"));
        assertThat(demux.windowBytes()).as("trimmed: it had grown above the window").isZero();
        assertThat(demux.join(watcher.filter(), EPOCH, 0)).isEmpty();
        delivery.line(new Form("d"));
        assertThat(demux.windowBytes()).isZero();
    }

    @Test
    void refusesToJoinAWatchThatMissedMoreThanAMailboxHolds() {
        for (int revision = 1; revision <= 20; revision++) {
            StoredObject object = object(revision, 10);
            ObjectChange change = new ObjectChange(revision, 0, object.key(), object, null);
            demux.publish(new ChangePage(List.of(change), revision));
        }
        WatchFilter all =
                new WatchFilter(EVERYTHING, Selection.OBJECTS, WatchFilter.WITHOUT_VERSIONS);
        assertThat(demux.join(all, EPOCH, 5)).isEmpty();
        assertThat(demux.join(all, EPOCH, 10)).isPresent();
    }

    private static List<QueuedEvent> events(WatchMailbox watcher) throws InterruptedException {
        Mail mail = watcher.take(0);
        return mail instanceof Mail.Batches(List<Batch> batches)
                ? batches.stream().flatMap(batch -> batch.events().stream()).toList()
                : List.of();
    }

    /** Encodes lines of a fixed length. */
    private record Form(String name) implements EventEncoder {
        static final int BYTES = 50_000;

        @Override
        public Optional<Object> shareKey() {
            return Optional.of(name);
        }

        @Override
        public byte[] line(EventType type, StoredObject object, long revision) {
            return new byte[BYTES];
        }

        @Override
        public byte[] bookmark(long revision, boolean initialEventsEnd) {
            return new byte[0];
        }
    }
}
