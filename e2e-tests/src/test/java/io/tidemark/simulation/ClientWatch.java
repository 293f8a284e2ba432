package io.tidemark.simulation;

import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.Tide;
import io.tidemark.query.status.StatusException;
import io.tidemark.query.watch.Delivery;
import io.tidemark.query.watch.Interest;
import io.tidemark.query.watch.Step;
import io.tidemark.query.watch.WatchCursor;
import io.tidemark.record.Change;
import io.tidemark.simulation.promise.EventType;
import io.tidemark.simulation.promise.Received;
import io.tidemark.simulation.promise.RecordedWatch;
import io.tidemark.simulation.world.Happening;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One watch of one client on one node: what the server's watch loop does, in virtual time. */
final class ClientWatch {
    private static final Pattern REPLACED =
            Pattern.compile("another revision history \\(epoch (\\d+)\\) has begun");

    private final World world;
    private final Scheduler scheduler;
    private final SimulatedNode node;
    private final NodeApi api;
    private final SimulatedClient client;
    private final Scope scope;
    private final boolean slow;
    private WatchCursor cursor;
    private RecordedWatch recorded;
    private long epoch;
    private long history;
    private long proven;

    /**
     * What has come of a revision in parts: it counts when it is whole. A client whose connection
     * breaks before goes on from the revision before.
     */
    private final List<Delivery> open = new ArrayList<>();

    private boolean inside;
    private long position;
    private long endsAtMillis;

    ClientWatch(
            World world, SimulatedNode node, SimulatedClient client, Scope scope, boolean slow) {
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
        Tide tide = api.tide(partitions);
        if (!tide.ready()) {
            client.pause(50, 500);
            return;
        }
        if (tide.epoch() != knownEpoch) {
            // A replica of an older epoch has yet to learn of the newer one.
            if (tide.epoch() > knownEpoch) {
                client.startedOver(tide.epoch());
            }
            client.pause(10, 500);
            return;
        }
        epoch = tide.epoch();
        history = world.epochs().historyOf(epoch);
        position = afterRevision;
        Interest interest = new Interest(scope.keys(), scope.selection(), Optional.empty());
        scheduler.count(Happening.WATCHES);
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
                                        tide.floor()));
        endsAtMillis = scheduler.nowMillis() + scheduler.between(100, slow ? 20_000 : 8_000);
        pollSoon();
    }

    private void pollSoon() {
        long delay = slow ? scheduler.between(300, 4_000) : scheduler.between(1, 150);
        var unused = scheduler.after(delay, "watch", this::poll);
    }

    private void poll() {
        if (!node.answers() || node.api() != api) {
            end();
            return;
        }
        try {
            switch (cursor.next(System.nanoTime() - 1)) {
                case Step.Events events -> {
                    open.addAll(events.deliveries());
                    inside = !(events.isWhole() || world.mutation().showsParts());
                    reached(
                            inside || events.isWhole()
                                    ? events.throughRevision()
                                    : events.through().revision());
                }
                case Step.Quiet quiet -> {
                    inside = !(quiet.isWhole() || world.mutation().showsParts());
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
            scheduler.count(Happening.REVISIONS_IN_PARTS);
            pollSoon();
            return;
        }
        open.forEach(this::receive);
        open.clear();
        if (proven >= position && scheduler.oneIn(4)) {
            long revision = world.mutation().bookmark(position, world.etcd().revision());
            scheduler.count(Happening.BOOKMARKS);
            recorded.add(new Received.Bookmark(revision, false));
            client.learned(epoch, revision);
        }
        if (scheduler.nowMillis() >= endsAtMillis) {
            end();
        } else {
            pollSoon();
        }
    }

    private void reached(long revision) {
        proven = revision;
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
                        shown == null ? "(nothing)" : Shown.text(shown));
        world.mutation().told(event, change).forEach(recorded::add);
        scheduler.count(Happening.WATCH_EVENTS);
        if (change.index() >= Change.GAP_INDEX) {
            scheduler.count(Happening.NET_CHANGES);
        }
        client.learned(epoch, delivery.revision());
    }

    private void refused(StatusException e) {
        if (e.refusal().code() == 410) {
            // It may have waited in the mailbox since: by now a partition may be missing here, and
            // with it what this node knows of the newer history. So that one is what it says, if
            // there is such a history.
            Matcher said = REPLACED.matcher(e.refusal().message());
            long begun = said.find() ? Long.parseLong(said.group(1)) : 0;
            boolean replaced = begun > epoch && world.epochs().historyOf(begun) != 0;
            Tide tide = api.tide(PartitionSet.of(scope.keys(), node.partitions()));
            scheduler.count(Happening.WATCHES_GONE);
            recorded.add(new Received.Expired(replaced ? Long.MAX_VALUE : tide.floor()));
            if (replaced) {
                client.startedOver(begun);
            } else {
                client.forgot();
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
