package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.watch.WatchMailbox.Mail;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a mailbox announces is there when it announces it. */
class WatchMailboxArrivalTest {
    private static final WatchFilter EVERYTHING =
            new WatchFilter(
                    KeyScope.prefix(Bytes.utf8("/")),
                    Selection.OBJECTS,
                    WatchFilter.WITHOUT_VERSIONS);
    private static final Mail EMPTY = new Mail.Batches(List.of());
    private static final Mail OVERFLOWED = new Mail.Overflowed();

    private final WatchMailbox mailbox =
            new WatchMailbox(
                    EVERYTHING, new WatchLimits(1, 10, 1000, 1, 1000, new PageLimits(10, 1000)));
    private final List<Mail> announced = new ArrayList<>();

    private void listen() {
        mailbox.onArrival(() -> {
            try {
                announced.add(mailbox.take(0));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static Batch batch(long revision) {
        ObjectChange change = new ObjectChange(revision, 0, Bytes.utf8("/a"), null, null);
        return new Batch(
                List.of(new QueuedEvent(new EncodedEvent(change), EVERYTHING)), revision, 1);
    }

    @Test
    void announcesWhatCameBeforeAnyoneListened() {
        Batch first = batch(1);
        mailbox.deliver(first);
        listen();
        assertThat(announced).containsExactly(new Mail.Batches(List.of(first)));
    }

    /** One signal may stand for several deliveries. */
    @Test
    void showsThatOneTakeLeftSomething() throws Exception {
        PageLimits page = new PageLimits(10, 1000);
        WatchMailbox large =
                new WatchMailbox(EVERYTHING, new WatchLimits(1, 10, 1 << 20, 2, 1 << 20, page));
        for (long revision = 1; revision <= 2; revision++) {
            large.deliver(new Batch(batch(revision).events(), revision, 256 << 10));
        }
        assertThat(large.take(0)).isInstanceOf(Mail.Batches.class);
        assertThat(large.hasMail()).isTrue();
        assertThat(large.take(0)).isInstanceOf(Mail.Batches.class);
        assertThat(large.hasMail()).isFalse();
        large.fallBack();
        assertThat(large.hasMail()).isTrue();
    }

    @Test
    void announcesEachDelivery() {
        listen();
        Batch first = batch(1);
        mailbox.deliver(first);
        assertThat(announced).containsExactly(EMPTY, new Mail.Batches(List.of(first)));
    }

    @Test
    void announcesAnOverflow() {
        mailbox.deliver(batch(1));
        mailbox.deliver(batch(2));
        listen();
        assertThat(announced).containsExactly(OVERFLOWED);
    }

    @Test
    void announcesADrop() {
        listen();
        mailbox.drop();
        assertThat(announced).containsExactly(EMPTY, OVERFLOWED);
    }

    @Test
    void announcesADropOfOldEvents() {
        List<Mail> none = new ArrayList<>();
        mailbox.deliver(batch(1));
        mailbox.onArrival(() -> none.add(EMPTY));
        assertThat(mailbox.dropIfOlderThan(0)).isTrue();
        assertThat(none).hasSize(1);
        assertThat(mailbox.dropIfOlderThan(1)).isFalse();
        assertThat(none).hasSize(2);
    }

    @Test
    void announcesItsEnd() {
        listen();
        mailbox.end(Optional.empty());
        assertThat(announced).containsExactly(EMPTY, new Mail.Ended(Optional.empty()));
    }

    @Test
    void announcesAFallBack() {
        listen();
        mailbox.fallBack();
        assertThat(announced).containsExactly(EMPTY, OVERFLOWED);
    }

    @Test
    void announcesAWakeUp() {
        listen();
        mailbox.wake();
        assertThat(announced).containsExactly(EMPTY, EMPTY);
    }
}
