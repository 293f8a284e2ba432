package io.tidemark.simulation.client;

import io.tidemark.record.Change;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Delivery;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.simulation.cluster.NodeApi;
import io.tidemark.simulation.cluster.SimulatedNode;
import io.tidemark.simulation.cluster.ViewResults;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.RecordedWatch;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One watch of one client on one node: the server's watch loop in virtual time. */
final class ClientWatch {
    private static final Pattern REPLACED =
            Pattern.compile("another revision history \\(epoch (\\d+)\\) has begun");

    private final World world;
    private final Scheduler scheduler;
    private final SimulatedNode node;
    private final NodeApi api;
    private final SimulatedClient client;
    private final ClientScope scope;
    private final boolean slow;
    private WatchCursor cursor;
    private RecordedWatch recorded;
    private long epoch;
    private long history;
    private long bookmarkableRevision;

    /**
     * The parts of a revision received so far; it counts when it is whole. A client whose
     * connection breaks earlier resumes at the revision before.
     */
    private final List<Delivery> open = new ArrayList<>();

    private boolean inside;
    private long position;
    private long endsAtMillis;

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
        position = afterRevision;
        WatchFilter interest =
                new WatchFilter(scope.keys(), scope.selection(), WatchFilter.WITHOUT_VERSIONS);
        scheduler.count(CoverageEvent.WATCHES);
        cursor =
                api.watches()
                        .watch(interest, partitions, epoch, world.mutation().resume(afterRevision));
        recorded =
                client.record()
                        .add(
                                new RecordedWatch(
                                        history,
                                        scope.interest(),
                                        OptionalLong.of(afterRevision),
                                        status.floor()));
        endsAtMillis = scheduler.nowMillis() + scheduler.between(100, slow ? 20_000 : 8_000);
        schedulePoll();
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
        try {
            switch (cursor.next(System.nanoTime() - 1)) {
                case Step.Events events -> {
                    open.addAll(events.deliveries());
                    inside = !(events.isWhole() || world.mutation().deliversPartialRevisions());
                    reached(
                            inside || events.isWhole()
                                    ? events.throughRevision()
                                    : events.through().revision());
                }
                case Step.NoEvents quiet -> {
                    inside = !(quiet.isWhole() || world.mutation().deliversPartialRevisions());
                    reached(quiet.throughRevision());
                }
                case Step.Ended _ -> {
                    end();
                    return;
                }
            }
        } catch (StatusException e) {
            refused(e);
            return;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (inside) {
            scheduler.count(CoverageEvent.REVISIONS_IN_PARTS);
            schedulePoll();
            return;
        }
        open.forEach(this::receive);
        open.clear();
        if (bookmarkableRevision >= position && scheduler.oneIn(4)) {
            long revision = world.mutation().bookmark(position, world.etcd().revision());
            scheduler.count(CoverageEvent.BOOKMARKS);
            recorded.add(new Received.Bookmark(revision, false));
            client.advanceTo(epoch, revision);
        }
        if (scheduler.nowMillis() >= endsAtMillis) {
            end();
        } else {
            schedulePoll();
        }
    }

    private void reached(long revision) {
        bookmarkableRevision = revision;
        position = Math.max(position, revision);
    }

    private void receive(Delivery delivery) {
        EventType type = EventType.valueOf(delivery.transition().type().name());
        StoredObject shown =
                type == EventType.DELETED
                        ? delivery.event().change().previous()
                        : delivery.event().change().current();
        ObjectChange change = delivery.event().change();
        Received.Event event =
                new Received.Event(
                        history,
                        type,
                        delivery.revision(),
                        change.key(),
                        shown == null ? "(nothing)" : ViewResults.text(shown));
        world.mutation().deliveredEvents(event, change).forEach(recorded::add);
        scheduler.count(CoverageEvent.WATCH_EVENTS);
        if (change.index() >= Change.GAP_INDEX) {
            scheduler.count(CoverageEvent.NET_CHANGES);
        }
        client.advanceTo(epoch, delivery.revision());
    }

    private void refused(StatusException e) {
        if (e.status().code() == 410) {
            // The event may have waited in the mailbox: by now a partition may be missing here, and
            // with it this node's knowledge of the newer history. So the event's history counts, if
            // there is such a history.
            Matcher said = REPLACED.matcher(e.status().message());
            long begun = said.find() ? Long.parseLong(said.group(1)) : 0;
            boolean replaced = begun > epoch && world.epochs().historyOf(begun) != 0;
            PartitionSetStatus status =
                    api.status(PartitionSet.of(scope.keys(), node.partitions()));
            scheduler.count(CoverageEvent.WATCHES_EXPIRED);
            recorded.add(new Received.Expired(replaced ? Long.MAX_VALUE : status.floor()));
            if (replaced) {
                client.newEpochSeen(begun);
            } else {
                client.mustRelist();
            }
        }
        end();
    }

    private void end() {
        recorded.add(new Received.Ended(recorded.newestRevision()));
        cursor.close();
        client.pause(1, 2_000);
    }
}
