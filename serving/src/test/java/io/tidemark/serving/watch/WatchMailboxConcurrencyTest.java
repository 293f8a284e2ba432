package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.testing.Gate;
import io.tidemark.serving.watch.WatchMailbox.Mail;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ObjectChange;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stops a delivery inside the mailbox, where it counts the events of its batch. */
class WatchMailboxConcurrencyTest {
    private static final WatchLimits LIMITS =
            new WatchLimits(1, 10, 1 << 20, 10, 1 << 20, new PageLimits(10, 1 << 20));
    private static final WatchFilter EVERYTHING =
            new WatchFilter(
                    KeyScope.prefix(Bytes.utf8("/")),
                    Selection.OBJECTS,
                    WatchFilter.WITHOUT_VERSIONS);
    private static final QueuedEvent EVENT =
            new QueuedEvent(
                    new EncodedEvent(new ObjectChange(2, 0, Bytes.utf8("/a"), null, null)),
                    EVERYTHING);
    private static final Batch OTHER = new Batch(List.of(), 1, 1);

    private final Gate gate = new Gate();
    private final WatchMailbox mailbox = new WatchMailbox(EVERYTHING, LIMITS);
    private final Batch gated = new Batch(new GatedEvents(), 2, 1);
    private final Map<String, Callable<Object>> operations =
            Map.of(
                    "deliver",
                    () -> mailbox.deliver(OTHER),
                    "prependMissed",
                    () -> mailbox.prependMissed(List.of(OTHER)),
                    "dropIfOlderThan",
                    () -> mailbox.dropIfOlderThan(0),
                    "drop",
                    asCallable(mailbox::drop),
                    "end",
                    asCallable(() -> mailbox.end(Optional.empty())),
                    "fallBack",
                    asCallable(mailbox::fallBack),
                    "wake",
                    asCallable(mailbox::wake),
                    "take",
                    () -> mailbox.take(System.nanoTime()));

    private static Callable<Object> asCallable(Runnable task) {
        return () -> {
            task.run();
            return "done";
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deliver",
                "prependMissed",
                "dropIfOlderThan",
                "drop",
                "end",
                "fallBack",
                "wake",
                "take"
            })
    void waitsForADelivery(String operation) throws Exception {
        FutureTask<Boolean> delivery = gate.stop(() -> mailbox.deliver(gated));
        gate.excludes(operations.get(operation));
        assertThat(delivery.get()).isTrue();
    }

    @Test
    void takesABatchWhoseDeliveryHadBegun() throws Exception {
        FutureTask<Boolean> delivery = gate.stop(() -> mailbox.deliver(gated));
        Mail mail = gate.excludes(() -> mailbox.take(System.nanoTime()));
        assertThat(delivery.get()).isTrue();
        assertThat(mail).isEqualTo(new Mail.Batches(List.of(gated)));
    }

    @Test
    void aDeliveryWaitsWhileMissedEventsArePrepended() throws Exception {
        FutureTask<Boolean> prepended = gate.stop(() -> mailbox.prependMissed(List.of(gated)));
        gate.excludes(() -> mailbox.deliver(OTHER));
        assertThat(prepended.get()).isTrue();
        assertThat(mailbox.take(System.nanoTime()))
                .isEqualTo(new Mail.Batches(List.of(gated, OTHER)));
    }

    private final class GatedEvents extends AbstractList<QueuedEvent> {
        @Override
        public QueuedEvent get(int index) {
            return EVENT;
        }

        @Override
        public int size() {
            gate.pass();
            return 1;
        }
    }
}
