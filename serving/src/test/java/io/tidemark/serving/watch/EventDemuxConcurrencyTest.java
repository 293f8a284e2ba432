package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.testing.Gate;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.serving.watch.WatchMailbox.Mail;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ObjectChange;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stops a thread that publishes or joins inside the demux. */
class EventDemuxConcurrencyTest {
    private static final long EPOCH = 1;
    private static final int WINDOW_BYTES = 100_000;
    private static final WatchLimits LIMITS =
            new WatchLimits(10, 40, WINDOW_BYTES, 20, 1 << 20, new PageLimits(10, 1 << 20));
    private static final StoredObject OBJECT =
            StoredObjects.of("/a", 1, "{\"metadata\":{\"resourceVersion\":\"1\"}}");
    private static final WatchFilter EVERYTHING = filter(WatchFilter.WITHOUT_VERSIONS);

    private final Gate gate = new Gate();
    private final EventDemux demux = new EventDemux(LIMITS, new WindowBudget(WINDOW_BYTES));
    private final WatchMailbox joined;
    private final Delivery delivered;
    private final Map<String, Callable<Object>> operations;

    EventDemuxConcurrencyTest() throws InterruptedException {
        demux.restart(EPOCH, 0);
        joined = demux.join(EVERYTHING, EPOCH, 0).orElseThrow().watcher();
        demux.publish(page(1));
        Mail.Batches mail = (Mail.Batches) joined.take(System.nanoTime());
        delivered = mail.batches().getFirst().events().getFirst().delivery().orElseThrow();
        operations =
                Map.of(
                        "publish", asCallable(() -> demux.publish(page(3))),
                        "join", () -> demux.join(EVERYTHING, EPOCH, 1),
                        "leave", asCallable(() -> demux.leave(joined)),
                        "restart", asCallable(() -> demux.restart(EPOCH, 9)),
                        "suspend", asCallable(() -> demux.suspend(StatusErrors.initializing())),
                        "fallBackAll", asCallable(demux::fallBackAll),
                        "close", asCallable(demux::close),
                        "epoch", demux::epoch,
                        "position", demux::position,
                        "trim", () -> delivered.line(new LongLine()));
    }

    private static Callable<Object> asCallable(Runnable task) {
        return () -> {
            task.run();
            return "done";
        };
    }

    private static WatchFilter filter(Predicate<StoredObject> servable) {
        return new WatchFilter(KeyScope.prefix(Bytes.utf8("/")), Selection.OBJECTS, servable);
    }

    private static ChangePage page(long revision) {
        return new ChangePage(
                List.of(new ObjectChange(revision, 0, OBJECT.key(), OBJECT, null)), revision);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "publish",
                "join",
                "leave",
                "restart",
                "suspend",
                "fallBackAll",
                "close",
                "epoch",
                "position",
                "trim"
            })
    void waitsForAPublication(String operation) throws Exception {
        WatchFilter gated =
                filter(_ -> {
                    gate.pass();
                    return true;
                });
        assertThat(demux.join(gated, EPOCH, 1)).isPresent();
        FutureTask<?> publication = gate.stop(asCallable(() -> demux.publish(page(2))));
        gate.excludes(operations.get(operation));
        publication.get();
    }

    /** The index asks for the hash of a joining watch's filter. */
    @Test
    void aPublicationWaitsForAWatchThatJoins() throws Exception {
        FutureTask<Optional<EventDemux.Joined>> joining =
                gate.stop(() -> demux.join(filter(new GatedHash()), EPOCH, 1));
        gate.excludes(operations.get("publish"));
        WatchMailbox mailbox = joining.get().orElseThrow().watcher();
        Mail.Batches mail = (Mail.Batches) mailbox.take(System.nanoTime());
        assertThat(mail.batches()).extracting(Batch::throughRevision).containsExactly(3L);
    }

    /** A watch that finds its mailbox empty takes this as its position. */
    @Test
    void reportsARevisionOnlyAfterItsDelivery() throws Exception {
        Batch gated =
                new Batch(
                        new AbstractList<>() {
                            @Override
                            public QueuedEvent get(int index) {
                                throw new IndexOutOfBoundsException(index);
                            }

                            @Override
                            public int size() {
                                gate.pass();
                                return 0;
                            }
                        },
                        1,
                        1);
        FutureTask<Boolean> first = gate.stop(() -> joined.deliver(gated));
        gate.excludes(
                asCallable(() -> demux.publish(page(2))),
                () -> assertThat(demux.through()).isEqualTo(1));
        assertThat(first.get()).isTrue();
        assertThat(demux.through()).isEqualTo(2);
    }

    private final class GatedHash implements Predicate<StoredObject> {
        @Override
        public boolean test(StoredObject object) {
            return true;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            gate.pass();
            return 0;
        }
    }

    /** Makes the window larger than its limit. */
    private static final class LongLine implements EventEncoder {
        @Override
        public Optional<Object> shareKey() {
            return Optional.of(this);
        }

        @Override
        public byte[] line(EventType type, StoredObject object, long revision) {
            return new byte[2 * WINDOW_BYTES];
        }

        @Override
        public byte[] bookmark(long revision, boolean initialEventsEnd) {
            throw new AssertionError("no test sends a bookmark");
        }
    }
}
