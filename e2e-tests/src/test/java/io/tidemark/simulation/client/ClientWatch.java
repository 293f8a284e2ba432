package io.tidemark.simulation.client;

import io.tidemark.query.compress.StreamCoding;
import io.tidemark.query.watch.BookmarkClock;
import io.tidemark.query.watch.EventSink;
import io.tidemark.query.watch.InitialEvents;
import io.tidemark.query.watch.WatchRun;
import io.tidemark.record.Change;
import io.tidemark.serving.freshness.FreshnessWait;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.Page;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import io.tidemark.simulation.promise.RecordedWatch;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.request.ObjectChange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One watch of one client on one node. Production's cursor, turns and encoder make its lines, in
 * {@link ServedWatch}.
 */
final class ClientWatch {
    private final World world;
    private final Scheduler scheduler;
    private final SimulatedNode node;
    private final NodeApi api;
    private final SimulatedClient client;
    private final ClientScope scope;
    private final boolean slow;
    private final JudgedRequest judged;
    private Admission admission;
    private @Nullable WatchCursor cursor;
    private RecordedWatch recorded;
    private long epoch;
    private long history;
    private ExpectedBookmarks expected;
    private int bookmarks;
    private int bookmarksSeen;

    /** The objects of the initial state so far; null once it is complete, or if there is none. */
    private @Nullable List<Item> initial;

    /** The lines since the last whole revision: a part of a revision does not count. */
    private final WatchLines lines;

    private final StreamCoding coding;

    private final EventEncoder form;

    /** The changes of these lines, for mutations. */
    private final Deque<ObjectChange> sent = new ArrayDeque<>();

    ClientWatch(
            World world,
            SimulatedNode node,
            SimulatedClient client,
            ClientScope scope,
            boolean slow) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.node = node;
        this.api = node.api();
        this.client = client;
        this.scope = scope;
        this.slow = slow;
        this.judged = new JudgedRequest(world, client, api, scope.demands(true));
        this.coding = client.codingOfWatches(node.api());
        this.lines = new WatchLines(scope, world::newest, coding);
        this.form = new MutableEncoder(scope.events(api.encoders()), world, () -> bookmarks++);
    }

    void begin(long knownEpoch, long afterRevision) {
        PartitionSet partitions = PartitionSet.of(scope.keys(), node.partitions());
        PartitionSetStatus status = api.status(partitions);
        if (!judged.admit(status)) {
            client.pause(1, 1_500);
            return;
        }
        if (!status.ready() || api.hub().closed()) {
            client.pause(50, 500);
            return;
        }
        if (status.epoch() != knownEpoch) {
            // A replica of an older epoch does not know of the newer one yet.
            if (status.epoch() > knownEpoch) {
                client.newEpochSeen(status.epoch());
            }
            client.pause(10, 500);
            return;
        }
        open(status.epoch(), OptionalLong.of(afterRevision), status.floor());
        RecordedWatch unused = client.record().add(recorded);
        cursor =
                admission.watch(
                        filter(),
                        partitions,
                        epoch,
                        world.mutation().resume(afterRevision),
                        form.projection());
        serve(afterRevision, status.watermark());
    }

    /** Begins with the current objects, as with {@code sendInitialEvents=true}. */
    void beginWithState(RequestedFreshness ask) {
        PartitionSet partitions = PartitionSet.of(scope.keys(), node.partitions());
        if (!judged.admit(api.status(partitions))) {
            client.pause(1, 1_500);
            return;
        }
        RequestedState state =
                switch (ask) {
                    case RequestedFreshness.AtLeast(long revision) ->
                            InitialEvents.state(Long.toString(revision), revision);
                    case RequestedFreshness.Any _ -> InitialEvents.state("0", 0);
                    case RequestedFreshness.Now _, RequestedFreshness.Exactly _ ->
                            InitialEvents.state("", 0);
                };
        FreshnessWait wait = api.freshness().begin(partitions, world.mutation().requested(state));
        awaitState(ask, wait, new ReadRecorder(world, client, scope));
    }

    private void awaitState(RequestedFreshness ask, FreshnessWait wait, ReadRecorder recorder) {
        if (!node.isResponsive() || node.api() != api || api.hub().closed()) {
            client.pause(20, 300);
            return;
        }
        Optional<ReadPoint> point;
        try {
            point = wait.poll();
        } catch (StatusException e) {
            scheduler.count(CoverageEvent.READS_REFUSED);
            Answer refusal =
                    e.status().code() == 504 ? new Answer.TimedOut() : new Answer.Unavailable();
            recorder.record(ask, refusal, 0, scheduler.nowMillis());
            client.pause(1, 1_500);
            return;
        }
        if (point.isEmpty()) {
            var unused =
                    scheduler.after(
                            scheduler.between(1, 40),
                            "await",
                            () -> awaitState(ask, wait, recorder));
        } else if (point.get().epoch() < client.epoch() && world.mutation().rejectsOlderEpochs()) {
            client.pause(20, 300);
        } else {
            awaitRules(ask, point.get(), recorder, scheduler.nowMillis());
        }
    }

    private void awaitRules(
            RequestedFreshness ask, ReadPoint at, ReadRecorder recorder, long arrivedAtMillis) {
        if (!node.isResponsive() || node.api() != api || api.hub().closed()) {
            client.pause(20, 300);
            return;
        }
        boolean allowed;
        try {
            allowed = judged.mayShow(at);
        } catch (JudgedRequest.Refused _) {
            client.pause(1, 1_500);
            return;
        }
        if (allowed) {
            begin(ask, at, recorder, arrivedAtMillis);
        } else {
            var unused =
                    scheduler.after(
                            scheduler.between(1, 40),
                            "rules",
                            () -> awaitRules(ask, at, recorder, arrivedAtMillis));
        }
    }

    private void begin(
            RequestedFreshness ask, ReadPoint at, ReadRecorder recorder, long arrivedAtMillis) {
        open(at.epoch(), OptionalLong.empty(), 0);
        scheduler.count(CoverageEvent.WATCHES_WITH_STATE);
        List<Item> items = new ArrayList<>();
        EventSink own = judged.checked(lines.own());
        initial = items;
        boolean goesOn = true;
        try {
            boolean supported =
                    new InitialEvents(api.view(), filter(), form, own)
                            .send(at, NodeApi.SCAN_PAGE, ReadAllowance.UNLIMITED, true);
            if (!supported) {
                throw new IllegalStateException("no events");
            }
            cursor =
                    admission.watch(
                            filter(), at.partitions(), epoch, at.revision(), form.projection());
        } catch (StatusException e) {
            goesOn = false;
            sendFailure(e, own);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        lines.take(history).forEach(this::receive);
        if (goesOn) {
            long revision = recorded.newestRevision();
            List<Page> pages = List.of(new Page(revision, items));
            recorder.record(ask, new Answer.Listed(revision, pages, -1), epoch, arrivedAtMillis);
            var unused = client.record().add(recorded);
            serve(at.revision(), at.revision());
        } else {
            var unused = client.record().add(recorded);
            end();
        }
    }

    private WatchFilter filter() {
        return new WatchFilter(
                scope.keys(),
                world.mutation().selection(scope.selection()),
                WatchFilter.WITHOUT_VERSIONS);
    }

    private void open(long newEpoch, OptionalLong afterRevision, long floor) {
        epoch = newEpoch;
        history = world.epochs().historyOf(epoch);
        scheduler.count(CoverageEvent.WATCHES);
        admission = api.hub().admit();
        client.opened(judged);
        recorded = new RecordedWatch(history, epoch, scope.interest(), afterRevision, floor);
    }

    private WatchRun run(long afterRevision, long opened) {
        Duration timeout = Duration.ofMillis(scheduler.between(100, slow ? 20_000 : 8_000));
        Duration interval = Duration.ofMillis(scheduler.between(50, 500));
        long deadline = scheduler.nowNanos() + timeout.toNanos();
        expected =
                new ExpectedBookmarks(
                        scheduler.nowNanos(),
                        interval.toNanos(),
                        deadline,
                        Math.max(afterRevision, opened));
        BookmarkClock clock =
                new BookmarkClock(
                        scheduler::nowNanos, true, interval, deadline, afterRevision, opened);
        return new WatchRun(scheduler::nowNanos, form, coding, clock, admission::ending, _ -> {});
    }

    private void serve(long afterRevision, long opened) {
        new ServedWatch(
                        world,
                        api.hub(),
                        Objects.requireNonNull(cursor),
                        run(afterRevision, opened),
                        lines,
                        new Connection(),
                        slow,
                        judged,
                        epoch)
                .begin();
    }

    private final class Connection implements ServedWatch.Connection {
        @Override
        public boolean isOpen() {
            return node.isResponsive() && node.api() == api;
        }

        @Override
        public void onSent(ObjectChange change) {
            sent.add(change);
        }

        @Override
        public void onTaken(Step step) {
            expectBookmark(step);
        }

        @Override
        public void onReceived() {
            lines.take(history).forEach(ClientWatch.this::receive);
        }

        @Override
        public void onEnded() {
            end();
        }
    }

    private void expectBookmark(Step step) {
        boolean sent = bookmarks > bookmarksSeen;
        bookmarksSeen = bookmarks;
        if (step instanceof Step.Ended) {
            expected.end(sent).ifPresent(recorded::bookmarkIsOverdue);
            return;
        }
        long now = scheduler.nowNanos();
        long through =
                switch (step) {
                    case Step.Events events when events.isWhole() -> events.throughRevision();
                    case Step.NoEvents quiet when quiet.isWhole() -> quiet.throughRevision();
                    case Step.Events _, Step.NoEvents _, Step.Ended _ -> 0;
                };
        if (through == 0) {
            return;
        }
        expected.turn(now, through, sent).ifPresent(recorded::bookmarkIsOverdue);
        if (admission.ending()) {
            expected.end(sent).ifPresent(recorded::bookmarkIsOverdue);
            return;
        }
        PartitionSetStatus status = api.status(PartitionSet.of(scope.keys(), node.partitions()));
        boolean comparable = world.faults().areOver() && status.epoch() == epoch;
        if (comparable && step instanceof Step.NoEvents) {
            expected.quiet(now, status.watermark()).ifPresent(recorded::bookmarkIsOverdue);
        }
    }

    private void sendFailure(StatusException e, EventSink own) {
        try {
            WatchRun.refuse(e, form, own);
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void receive(WatchLines.Arrived arrived) {
        switch (arrived.line()) {
            case WatchLines.Line.Event(Received.Event event) -> {
                if (initial == null) {
                    judged.shows("an event", epoch, event.revision(), arrived.sentAt());
                }
                if (initial == null) {
                    received(event);
                } else {
                    receivedInitial(event, initial);
                }
            }
            case WatchLines.Line.Bookmark(long revision, boolean endsInitial) -> {
                scheduler.count(CoverageEvent.BOOKMARKS);
                judged.shows("a bookmark", epoch, revision, arrived.sentAt());
                recorded.add(new Received.Bookmark(revision, endsInitial));
                initial = endsInitial ? null : initial;
                client.advanceTo(epoch, revision);
            }
            case WatchLines.Line.Failure failure -> received(failure);
        }
    }

    private void receivedInitial(Received.Event event, List<Item> items) {
        if (!event.type().name().equals("ADDED")) {
            throw new IllegalStateException("an initial event: " + event);
        }
        Item item = new Item(event.key(), event.revision(), event.shown());
        items.add(item);
        recorded.add(new Received.Initial(item));
    }

    private void received(Received.Event event) {
        ObjectChange change = sent.remove();
        world.mutation().deliveredEvents(event, change).forEach(recorded::add);
        scheduler.count(CoverageEvent.WATCH_EVENTS);
        client.countSecret(event.shown());
        if (change.index() >= Change.GAP_INDEX) {
            scheduler.count(CoverageEvent.NET_CHANGES);
        }
        client.advanceTo(epoch, event.revision());
    }

    private void received(WatchLines.Line.Failure failure) {
        if (failure.code() != 410) {
            return;
        }
        if (failure.isCutShort()) {
            client.mustRelist();
            return;
        }
        boolean replaced =
                failure.newEpoch() > epoch && world.epochs().historyOf(failure.newEpoch()) != 0;
        scheduler.count(CoverageEvent.WATCHES_EXPIRED);
        recorded.add(new Received.Expired(replaced ? Long.MAX_VALUE : failure.floor()));
        if (replaced) {
            client.newEpochSeen(failure.newEpoch());
        } else {
            client.mustRelist();
        }
    }

    private void end() {
        client.closeOpen();
        recorded.add(new Received.Ended(recorded.newestRevision()));
        if (cursor != null && world.mutation().closesWatches()) {
            cursor.close();
        }
        admission.close();
        lines.close();
        world.memory().observe(api.hub());
        client.pause(1, 2_000);
    }
}
