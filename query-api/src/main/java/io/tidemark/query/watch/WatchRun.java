package io.tidemark.query.watch;

import io.tidemark.query.compress.StreamCoding;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A watch after its initial events: turns each step of its cursor into lines, adds the bookmarks,
 * and decides when it ends. It never ends or sends a bookmark inside a revision. The caller waits
 * for the steps. For one thread.
 */
public final class WatchRun {
    /** Wait per step for the rest of a revision; the watch does not end inside one. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private static final int GONE = 410;

    private final LongSupplier nanoClock;
    private final EventEncoder form;
    private final StreamCoding coding;
    private final BookmarkClock bookmarks;
    private final BooleanSupplier ending;
    private final LongConsumer eventsSent;

    /** Whether the client has got a part of a revision. */
    private boolean inside;

    /** The revision of the last events. */
    private long revision;

    /** A watch whose lines are sent as they were encoded. */
    public WatchRun(
            LongSupplier nanoClock,
            EventEncoder form,
            BookmarkClock bookmarks,
            BooleanSupplier ending,
            LongConsumer eventsSent) {
        this(nanoClock, form, StreamCoding.PLAIN, bookmarks, ending, eventsSent);
    }

    /**
     * @param nanoClock such as {@link System#nanoTime}
     * @param coding of the lines
     * @param bookmarks whose deadline ends the watch
     * @param ending whether the node ends its watches
     * @param eventsSent receives the number of events of each step
     */
    public WatchRun(
            LongSupplier nanoClock,
            EventEncoder form,
            StreamCoding coding,
            BookmarkClock bookmarks,
            BooleanSupplier ending,
            LongConsumer eventsSent) {
        this.nanoClock = nanoClock;
        this.form = form;
        this.coding = coding;
        this.bookmarks = bookmarks;
        this.ending = ending;
        this.eventsSent = eventsSent;
    }

    /** How long to wait for the cursor's next step, as of the clock. */
    public long waitUntil() {
        return inside ? nanoClock.getAsLong() + POLL_INTERVAL.toNanos() : bookmarks.wakeAt();
    }

    /**
     * The revision through which the client knows the state once a step is taken, by events or a
     * bookmark.
     *
     * @return 0 if it gets nothing
     */
    long tells(Step step) {
        return switch (step) {
            case Step.Events events -> Math.max(bookmarks.position(), events.through().revision());
            case Step.NoEvents quiet -> {
                boolean bookmark = bookmarks.isTime() || ending.getAsBoolean();
                long through = quiet.throughRevision();
                yield bookmark && quiet.isWhole() && bookmarks.wouldProgress(through) ? through : 0;
            }
            case Step.Ended _ -> bookmarks.dueAtEnd() ? bookmarks.position() : 0;
        };
    }

    /**
     * Sends what a step of the cursor returned, and the bookmark that is due by then.
     *
     * @param told what {@link #tells} has returned for it: with 0 there is no bookmark, even if one
     *     is due by now
     * @param sink gets the lines
     * @return whether the watch goes on
     * @throws IOException when the client has disconnected
     */
    public boolean take(Step step, long told, EventSink sink)
            throws IOException, InterruptedException {
        switch (step) {
            case Step.Events events -> {
                if (!form.supportsEvents()) {
                    return false;
                }
                send(events, sink);
                inside = !events.isWhole();
                revision = events.through().revision();
            }
            case Step.NoEvents quiet -> {
                bookmarks.reached(quiet.throughRevision());
                inside = !quiet.isWhole();
            }
            case Step.Ended _ -> {
                sendFinalBookmark(told, sink);
                return false;
            }
        }
        if (inside) {
            return true;
        }
        if (bookmarks.due() && told > 0) {
            if (!form.supportsEvents()) {
                return false;
            }
            sendBookmark(sink);
        }
        if (ending.getAsBoolean()) {
            if (told == 0 && bookmarks.dueAtEnd()) {
                return true; // The node began to end just now: the next step brings the bookmark.
            }
            sendFinalBookmark(told, sink);
            return false;
        }
        return !bookmarks.isOver();
    }

    /**
     * Ends the watch with an ERROR event, which inside a revision is a 410: the client must not
     * resume after a part of one.
     */
    void end(StatusException why, EventSink sink) throws IOException, InterruptedException {
        boolean resumable = inside && why.status().code() != GONE;
        StatusException shown = resumable ? StatusErrors.endedInsideRevision(revision) : why;
        sink.send(coding.line(form.error(shown.status())));
        sink.flush();
    }

    /** Ends a watch that has not begun with an ERROR event. */
    public static void refuse(StatusException refused, EventEncoder form, EventSink sink)
            throws IOException, InterruptedException {
        sink.send(form.error(refused.status()));
        sink.flush();
    }

    /** The node stops: the bookmark lets the client resume elsewhere where it left off. */
    private void sendFinalBookmark(long told, EventSink sink)
            throws IOException, InterruptedException {
        if (told > 0 && bookmarks.dueAtEnd() && form.supportsEvents()) {
            sendBookmark(sink);
        }
    }

    private void sendBookmark(EventSink sink) throws IOException, InterruptedException {
        sink.send(coding.line(form.bookmark(bookmarks.take(), false)));
        sink.flush();
    }

    private void send(Step.Events events, EventSink sink) throws IOException, InterruptedException {
        for (Delivery delivery : events.deliveries()) {
            sink.send(coding.line(delivery, form));
        }
        sink.flush();
        eventsSent.accept(events.deliveries().size());
        bookmarks.sent(events.deliveries().getLast().revision());
        bookmarks.reached(events.throughRevision());
    }
}
