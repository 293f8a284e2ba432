package io.tidemark.simulation.client;

import io.tidemark.query.watch.BookmarkClock;
import io.tidemark.query.watch.WatchRun;
import io.tidemark.query.wire.KeyValueEventEncoder;
import io.tidemark.record.Change;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.EventEncoder;
import io.tidemark.serving.watch.EventType;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.simulation.cluster.NodeApi;
import io.tidemark.simulation.cluster.SimulatedNode;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.RecordedWatch;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One watch of one client on one node. Production's cursor, {@link WatchRun} and encoder make its
 * lines; this turns them in virtual time.
 */
final class ClientWatch {
    private final World world;
    private final Scheduler scheduler;
    private final SimulatedNode node;
    private final NodeApi api;
    private final SimulatedClient client;
    private final ClientScope scope;
    private final boolean slow;
    private Admission admission;
    private WatchCursor cursor;
    private WatchRun run;
    private RecordedWatch recorded;
    private long epoch;
    private long history;
    private boolean inside;

    /** The lines since the last whole revision: a part of a revision does not count. */
    private final WatchLines lines = new WatchLines();

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
    }

    void begin(long knownEpoch, long afterRevision) {
        PartitionSet partitions = PartitionSet.of(scope.keys(), node.partitions());
        PartitionSetStatus status = api.status(partitions);
        if (!status.ready()) {
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
        epoch = status.epoch();
        history = world.epochs().historyOf(epoch);
        WatchFilter interest =
                new WatchFilter(scope.keys(), scope.selection(), WatchFilter.WITHOUT_VERSIONS);
        scheduler.count(CoverageEvent.WATCHES);
        admission = api.hub().admit();
        cursor =
                admission.watch(
                        interest, partitions, epoch, world.mutation().resume(afterRevision));
        recorded =
                client.record()
                        .add(
                                new RecordedWatch(
                                        history,
                                        epoch,
                                        scope.interest(),
                                        OptionalLong.of(afterRevision),
                                        status.floor()));
        run = run(afterRevision, status.watermark());
        schedulePoll();
    }

    private WatchRun run(long afterRevision, long opened) {
        Duration timeout = Duration.ofMillis(scheduler.between(100, slow ? 20_000 : 8_000));
        BookmarkClock bookmarks =
                new BookmarkClock(
                        scheduler::nowNanos,
                        true,
                        Duration.ofMillis(scheduler.between(50, 500)),
                        scheduler.nowNanos() + timeout.toNanos(),
                        afterRevision,
                        opened);
        return new WatchRun(
                scheduler::nowNanos, new Encoder(), lines, bookmarks, admission::ending, _ -> {});
    }

    private void schedulePoll() {
        long delay = slow ? scheduler.between(300, 4_000) : scheduler.between(1, 150);
        var unused = scheduler.after(delay, "watch", this::poll);
    }

    private void poll() {
        if (!node.isResponsive() || node.api() != api) {
            end();
            return;
        }
        boolean goesOn;
        try {
            goesOn = turn();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (inside) {
            scheduler.count(CoverageEvent.REVISIONS_IN_PARTS);
        } else {
            lines.take(history).forEach(this::receive);
        }
        if (goesOn) {
            schedulePoll();
        } else {
            end();
        }
    }

    /** One turn of the server's loop, which does not wait. */
    private boolean turn() throws IOException, InterruptedException {
        try {
            Step step = world.mutation().step(cursor.next(scheduler.nowNanos()));
            if (step instanceof Step.Events events) {
                events.deliveries().forEach(delivery -> sent.add(delivery.event().change()));
            }
            boolean goesOn = run.take(step);
            inside = isInside(step);
            return goesOn;
        } catch (StatusException e) {
            refuse(e);
            return false;
        }
    }

    private static boolean isInside(Step step) {
        return switch (step) {
            case Step.Events events -> !events.isWhole();
            case Step.NoEvents quiet -> !quiet.isWhole();
            case Step.Ended _ -> false;
        };
    }

    /** A part of a revision does not count: its client cannot resume after it. */
    private void refuse(StatusException e) throws IOException, InterruptedException {
        if (inside) {
            inside = false;
            lines.drop();
        }
        WatchRun.refuse(e, lines);
    }

    private void receive(WatchLines.Line line) {
        switch (line) {
            case WatchLines.Line.Event(Received.Event event) -> received(event);
            case WatchLines.Line.Bookmark(long revision) -> {
                scheduler.count(CoverageEvent.BOOKMARKS);
                recorded.add(new Received.Bookmark(revision, false));
                client.advanceTo(epoch, revision);
            }
            case WatchLines.Line.Failure failure -> received(failure);
        }
    }

    private void received(Received.Event event) {
        ObjectChange change = sent.remove();
        world.mutation().deliveredEvents(event, change).forEach(recorded::add);
        scheduler.count(CoverageEvent.WATCH_EVENTS);
        if (change.index() >= Change.GAP_INDEX) {
            scheduler.count(CoverageEvent.NET_CHANGES);
        }
        client.advanceTo(epoch, event.revision());
    }

    private void received(WatchLines.Line.Failure failure) {
        if (failure.code() != 410) {
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
        recorded.add(new Received.Ended(recorded.newestRevision()));
        cursor.close();
        admission.close();
        client.pause(1, 2_000);
    }

    /** Production's, between the mutation and the client. */
    private final class Encoder implements EventEncoder {
        private final EventEncoder keyValues = new KeyValueEventEncoder();

        @Override
        public Optional<Object> shareKey() {
            return keyValues.shareKey();
        }

        @Override
        public byte[] line(EventType type, StoredObject object, long resourceVersion) {
            return keyValues.line(type, object, resourceVersion);
        }

        @Override
        public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
            long revision = world.mutation().bookmark(resourceVersion, world.etcd().revision());
            return keyValues.bookmark(revision, initialEventsEnd);
        }
    }
}
