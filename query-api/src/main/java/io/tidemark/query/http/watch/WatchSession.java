package io.tidemark.query.http.watch;

import io.tidemark.query.access.Permit;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.query.compress.StreamCoding;
import io.tidemark.query.http.exchange.ClientPresence;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.watch.BookmarkClock;
import io.tidemark.query.watch.CheckedSink;
import io.tidemark.query.watch.CodedSink;
import io.tidemark.query.watch.EventSink;
import io.tidemark.query.watch.InitialEvents;
import io.tidemark.query.watch.LiveOutput;
import io.tidemark.query.watch.SerialTurns;
import io.tidemark.query.watch.StepSource;
import io.tidemark.query.watch.WatchPermit;
import io.tidemark.query.watch.WatchRun;
import io.tidemark.query.watch.WatchTurns;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.WatchBound;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one watch from its initial events to its end, over any connection. A virtual thread sends
 * the initial events and what the watch lacks. While it is live it has no thread: the node's
 * writers take its turns.
 */
final class WatchSession {
    /** The shortest interval of bookmarks that a client gets. */
    private static final Duration SHORTEST_BOOKMARKS = Duration.ofMillis(100);

    /** A year: longer than any server runs, without overflow. */
    private static final long MAX_SECONDS = 365L * 24 * 3600;

    /** Limit of the time spent reading the initial objects. */
    private static final Duration LONGEST_READING = Duration.ofMinutes(1);

    private final ServingContext serving;
    private final WatchQuery query;
    private final ReadPoint opened;
    private final PartitionSet partitions;
    private final Client client;
    private final WatchedSink sink;
    private final Admission admission;
    private final long deadline;
    private final ReadPoints points;
    private final SerialTurns serial;
    private final WatchPermit permit;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile @Nullable WatchTurns turns;
    private volatile @Nullable WatchCursor cursor;
    private volatile @Nullable Thread blocking;
    private volatile boolean disconnected;

    /** Null before the first. */
    private volatile @Nullable Future<?> timer;

    /** Whether the timer is to signal a turn; it does once. */
    private volatile boolean timed;

    /**
     * The client of a watch.
     *
     * @param address the address whose memory share it uses
     * @param require throws {@link io.tidemark.serving.read.ClientDisconnectedException} when it
     *     has disconnected; does not block
     * @param sink sends coded lines from a thread that may block
     * @param output sends the coded lines of a live watch
     * @param coding of the lines; the caller sends its start and end
     * @param abort breaks its connection, or its stream of a connection, off
     */
    record Client(
            String address,
            Runnable require,
            EventSink sink,
            LiveOutput output,
            StreamCoding coding,
            Consumer<Throwable> abort) {
        private Client withSink(EventSink other) {
            return new Client(address, require, other, output, coding, abort);
        }

        /**
         * The sink for lines that are no live events.
         *
         * @param initial whether it begins with objects, which other watches may begin with as well
         * @param memory books what the sink holds; without free memory nothing is shared
         */
        EventSink ownLines(boolean initial, Share memory) {
            if (coding.coding() == ContentCoding.IDENTITY) {
                return sink;
            }
            boolean shares =
                    initial
                            && coding.shared().isPresent()
                            && memory.tryTake(SharedPieces.MEMORY, false);
            return new CodedSink(sink, coding, shares);
        }
    }

    /**
     * What a watch may read.
     *
     * @param points of the request
     */
    record Rights(Permit permit, ReadPoints points) {}

    /**
     * Creates the session and starts its timeout.
     *
     * @param opened the newest state before the response began: later changes must be sent as
     *     events
     */
    WatchSession(
            ServingContext serving,
            WatchQuery query,
            ReadPoint opened,
            Client client,
            Rights rights,
            Admission admission) {
        this.serving = serving;
        this.query = query;
        this.opened = opened;
        this.partitions = opened.partitions();
        this.sink = new WatchedSink(client.sink());
        this.client = client.withSink(sink);
        this.points = rights.points();
        this.admission = admission;
        this.deadline = System.nanoTime() + timeout(serving, query.options()).toNanos();
        this.serial = new SerialTurns(serving.watchWriters().executor(), this::turn);
        this.permit =
                OpenWatch.permit(
                        serving, rights.permit(), serial::signal, this::isWriting, client.abort());
    }

    /**
     * Sends what a client without any event lacks, which may block; then the watch goes on without
     * this thread.
     *
     * @return completes when the watch ends: after its timeout, when the node stops, or after an
     *     ERROR event; with an IOException or a ClientDisconnectedException when the client has
     *     disconnected. On a thread that may block. Then {@link #close} it.
     */
    CompletableFuture<Void> start() {
        permit.open();
        block(() -> {
            if (!isOver() && begin()) {
                catchUp();
            } else {
                end(null);
            }
        });
        return end;
    }

    /** The response is complete; before that, a client that does not read it is cut off. */
    void close() {
        permit.close();
    }

    /** The client has disconnected; for any thread. */
    void disconnect() {
        disconnected = true;
        Thread thread = blocking;
        if (thread != null) {
            thread.interrupt();
        }
        failIfDisconnected();
    }

    /** Whether it waits for its client to read; that is all that is left once it has ended. */
    private boolean isWriting() {
        WatchTurns begun = turns;
        return end.isDone() || sink.isWriting() || begun != null && begun.isWriting();
    }

    private void failIfDisconnected() {
        WatchTurns begun = turns;
        if (disconnected && begun != null) {
            begun.fail(new ClientDisconnectedException("the client has disconnected"));
        }
    }

    /**
     * Sends the initial events.
     *
     * @return false when the watch is over
     */
    private boolean begin() throws IOException, InterruptedException {
        admission.requireBeforeReading(client.require());
        try (Share memory = serving.memory().share(client.address())) {
            return begin(client.ownLines(hasInitialEvents(), memory), memory);
        }
    }

    private boolean isFromRevision() {
        ListOptions options = query.options();
        return options.revision() > 0 && !Boolean.TRUE.equals(options.sendInitialEvents());
    }

    private boolean hasInitialEvents() {
        return !isFromRevision() && !Boolean.FALSE.equals(query.options().sendInitialEvents());
    }

    private boolean begin(EventSink ownLines, Share memory)
            throws IOException, InterruptedException {
        ReadPoint now;
        long start;
        WatchBound bound;
        try {
            now = isFromRevision() ? opened : initialPoint();
            if (hasInitialEvents() && !sendInitialEvents(now, ownLines, memory)) {
                return false;
            }
            start = isFromRevision() ? query.options().revision() : now.revision();
            bound = points.bound(partitions, start);
        } catch (StatusException e) {
            WatchRun.refuse(e, query.form(), ownLines);
            return false;
        }
        WatchCursor begun =
                admission.watch(
                        query.filter(),
                        partitions,
                        now.epoch(),
                        start,
                        query.form().projection(),
                        bound);
        cursor = begun;
        begun.onArrival(serial::signal);
        turns = turns(begun, now.epoch(), start, opened(bound, start, now.revision()));
        failIfDisconnected();
        return true;
    }

    /** The newest revision that the watch can see when it begins. */
    private static long opened(WatchBound bound, long start, long newest) {
        return switch (bound) {
            case WatchBound.Present _ -> newest;
            case WatchBound.Fixed(long revision) -> revision;
            case WatchBound.Moving _ -> start;
        };
    }

    /** As often as the client asks, within bounds: each watch that is due takes a turn. */
    private Duration bookmarkInterval() {
        Duration regular = serving.times().bookmarkInterval();
        Duration asked = query.options().bookmarkFrequency().orElse(regular);
        Duration least = asked.compareTo(SHORTEST_BOOKMARKS) < 0 ? SHORTEST_BOOKMARKS : asked;
        return least.compareTo(regular) < 0 ? least : regular;
    }

    private BookmarkClock bookmarks(long start, long openedAt) {
        ListOptions options = query.options();
        boolean wanted = options.allowWatchBookmarks();
        return wanted && options.bookmarkFrequency().equals(Optional.of(Duration.ZERO))
                ? BookmarkClock.eager(
                        System::nanoTime, bookmarkInterval(), deadline, start, openedAt)
                : new BookmarkClock(
                        System::nanoTime, wanted, bookmarkInterval(), deadline, start, openedAt);
    }

    private WatchTurns turns(WatchCursor begun, long epoch, long start, long openedAt) {
        BookmarkClock bookmarks = bookmarks(start, openedAt);
        WatchRun run =
                new WatchRun(
                        System::nanoTime,
                        query.form(),
                        client.coding(),
                        bookmarks,
                        admission::ending,
                        count -> serving.metrics().eventsSent(query.label(), count));
        return new WatchTurns(
                System::nanoTime,
                StepSource.of(begun),
                run,
                client.output(),
                serial::signal,
                new WatchTurns.ClientCheck(
                        ClientPresence.interval(serving.times()), client.require()),
                permit,
                epoch);
    }

    /** On a thread that may block. */
    private interface Blocking {
        void run() throws IOException, InterruptedException;
    }

    private void block(Blocking part) {
        blocking = Thread.currentThread();
        try {
            part.run();
        } catch (InterruptedException e) {
            end(disconnected ? new ClientDisconnectedException("the client has disconnected") : e);
        } catch (Throwable e) {
            end(e);
        } finally {
            blocking = null;
        }
    }

    private SerialTurns.Next handOver(Blocking part) {
        Thread.ofVirtual().name("watch").start(() -> block(part));
        return SerialTurns.Next.HANDED_OVER;
    }

    /** On a thread that may block. */
    private void catchUp() throws IOException, InterruptedException {
        WatchTurns.Next next;
        do {
            next = begunTurns().catchUp(client.sink());
        } while (next == WatchTurns.Next.CATCH_UP);
        if (next == WatchTurns.Next.END) {
            end(null);
        } else {
            serial.resume();
        }
    }

    /** On a writer. */
    private SerialTurns.Next turn() {
        WatchTurns.Next next;
        try {
            next = begunTurns().turn();
        } catch (Throwable e) {
            return handOver(() -> end(e));
        }
        return switch (next) {
            case SIGNAL -> {
                setTimer();
                yield SerialTurns.Next.SIGNAL;
            }
            case TURN -> SerialTurns.Next.TURN;
            case CATCH_UP -> handOver(this::catchUp);
            case END -> handOver(() -> end(null));
        };
    }

    /** Times only move on, so a timer that is set comes soon enough. */
    private void setTimer() {
        if (!timed) {
            timed = true;
            timer = serving.watchWriters().at(begunTurns().waitUntil(), this::onTime);
        }
    }

    private void onTime() {
        timed = false;
        serial.signal();
    }

    private WatchTurns begunTurns() {
        return Objects.requireNonNull(turns);
    }

    /** On a thread that may block. */
    private void end(@Nullable Throwable why) {
        Future<?> last = timer;
        if (last != null) {
            last.cancel(false);
        }
        WatchCursor begun = cursor;
        if (begun != null) {
            begun.close();
        }
        if (why == null) {
            end.complete(null);
        } else {
            end.completeExceptionally(why);
        }
    }

    private ReadPoint initialPoint() throws InterruptedException {
        ListOptions options = query.options();
        return points.await(
                partitions, InitialEvents.state(options.resourceVersion(), options.revision()));
    }

    /**
     * Sends the current objects.
     *
     * @return false when the watch must end
     */
    private boolean sendInitialEvents(ReadPoint at, EventSink ownLines, Share memory)
            throws IOException, InterruptedException {
        InitialEvents initial =
                new InitialEvents(
                        serving.view(),
                        query.filter(),
                        query.form(),
                        permit.isLimited() ? new CheckedSink(ownLines, permit) : ownLines);
        ReadAllowance allowance =
                ReadAllowance.of(
                        memory, () -> initial.sent() > 0, client.require(), LONGEST_READING);
        boolean goesOn =
                initial.send(
                        at,
                        serving.limits().scanPage(),
                        allowance,
                        query.options().wantsInitialEventsEnd());
        if (goesOn) {
            serving.metrics().eventsSent(query.label(), initial.sent());
        }
        return goesOn;
    }

    private boolean isOver() {
        return deadline - System.nanoTime() <= 0;
    }

    /**
     * The requested timeout; else a random one, so that watches that began together do not end
     * together.
     */
    private static Duration timeout(ServingContext serving, ListOptions options) {
        if (options.timeoutSeconds().isPresent()) {
            return Duration.ofSeconds(
                    Math.clamp(options.timeoutSeconds().getAsLong(), 0, MAX_SECONDS));
        }
        long shortest = serving.times().shortestWatch().toNanos();
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(shortest, 2 * shortest));
    }
}
