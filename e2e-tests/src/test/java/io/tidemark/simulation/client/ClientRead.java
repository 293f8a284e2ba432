package io.tidemark.simulation.client;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.FreshnessWait;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RequestedState;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusException;
import io.tidemark.simulation.cluster.NodeApi;
import io.tidemark.simulation.cluster.SimulatedNode;
import io.tidemark.simulation.cluster.ViewResults;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.promise.RecordedRead;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.Page;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One LIST of one client in virtual time; different nodes may serve its pages. */
final class ClientRead {
    private static final PageLimits SCAN_PAGE = new PageLimits(3, 1_000);

    private final World world;
    private final Scheduler scheduler;
    private final SimulatedClient client;
    private final ClientScope scope;
    private final RequestedFreshness ask;
    private final PartitionSet partitions;
    private final int limit;
    private final long beganAtMillis;
    private final long acknowledgedAtBegin;
    private final long historyAtBegin;
    private final List<Page> pages = new ArrayList<>();
    private final NodeApi api;
    private FreshnessWait wait;
    private SimulatedNode node;
    private boolean paged;

    ClientRead(
            World world,
            SimulatedNode node,
            SimulatedClient client,
            ClientScope scope,
            RequestedFreshness ask) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.node = node;
        this.api = node.api();
        this.client = client;
        this.scope = scope;
        this.ask = ask;
        this.partitions = PartitionSet.of(scope.keys(), node.partitions());
        this.limit = scheduler.oneIn(2) ? Integer.MAX_VALUE : scheduler.random().nextInt(1, 6);
        this.beganAtMillis = scheduler.nowMillis();
        this.acknowledgedAtBegin = world.etcd().revision();
        this.historyAtBegin = world.etcd().historyNumber();
    }

    void begin() {
        wait = api.freshness().begin(partitions, world.mutation().requested(requestedState()));
        poll();
    }

    private RequestedState requestedState() {
        return switch (ask) {
            case RequestedFreshness.Now _ -> new RequestedState.Latest();
            case RequestedFreshness.AtLeast(long revision) ->
                    new RequestedState.NotOlderThan(revision, Long.toString(revision));
            case RequestedFreshness.Exactly(long revision) ->
                    new RequestedState.Exactly(revision, Long.toString(revision));
            case RequestedFreshness.Any _ -> new RequestedState.Any();
        };
    }

    private void poll() {
        if (!node.isResponsive() || node.api() != api) {
            client.pause(20, 300);
            return;
        }
        try {
            Optional<ReadPoint> point = wait.poll();
            if (point.isPresent()) {
                read(point.get());
            } else {
                var unused = scheduler.after(scheduler.between(1, 40), "await", this::poll);
            }
        } catch (StatusException e) {
            answer(refusal(e), 0);
        }
    }

    private static Answer refusal(StatusException e) {
        return switch (e.status().code()) {
            case 504 -> new Answer.TimedOut();
            case 429, 503 -> new Answer.Unavailable();
            default -> throw new IllegalStateException(e);
        };
    }

    private void read(ReadPoint at) {
        if (at.epoch() < client.epoch() && world.mutation().rejectsOlderEpochs()) {
            client.pause(20, 300);
            return;
        }
        if (ask instanceof RequestedFreshness.Exactly && at.epoch() != client.epoch()) {
            // Its revision is one of the history before.
            client.newEpochSeen(at.epoch());
            client.pause(1, 1_500);
            return;
        }
        scheduler.count(CoverageEvent.READS);
        page(world.mutation().firstPage(at, highestWatermark()), Bytes.EMPTY);
    }

    private long highestWatermark() {
        long highest = 0;
        for (int p = partitions.first(); p < partitions.endExclusive(); p++) {
            highest = Math.max(highest, node.api().directory().view(p).state().watermark());
        }
        return highest;
    }

    private void page(ReadPoint at, Bytes from) {
        if (!node.isResponsive()) {
            refused(at, from);
            return;
        }
        try {
            MergedScan scan =
                    node.api().view().scan(scope.keys(), scope.selection(), from, at, SCAN_PAGE);
            List<StoredObject> objects = new ArrayList<>();
            while (objects.size() < limit && scan.hasNext()) {
                objects.add(scan.next());
            }
            List<Item> items = objects.stream().map(ViewResults::item).toList();
            // Checked before the page counts: a node that cannot answer must read it again.
            boolean more = scan.hasNext();
            pages.add(new Page(at.revision(), items));
            if (more) {
                if (!paged) {
                    scheduler.count(CoverageEvent.READS_IN_PAGES);
                }
                paged = true;
                Bytes last = objects.getLast().key();
                retryOnAnotherNode(
                        at, world.mutation().continuesAfterLastKey() ? last.successor() : last);
                return;
            }
        } catch (RevisionExpiredException e) {
            expired(at, e);
            return;
        } catch (StatusException _) {
            refused(at, from);
            return;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        client.advanceTo(at.epoch(), ask instanceof RequestedFreshness.Exactly ? 0 : at.revision());
        answer(new Answer.Listed(at.revision(), pages, stalenessMillis(at)), at.epoch());
    }

    private long stalenessMillis(ReadPoint at) {
        boolean comparable =
                !paged
                        && !(ask instanceof RequestedFreshness.Exactly)
                        && world.faults().clocksAgree();
        return comparable ? scheduler.nowMillis() - at.asOfMillis() : -1;
    }

    /** 503: in the middle of a list the client retries the same page, perhaps on another node. */
    private void refused(ReadPoint at, Bytes from) {
        if (paged) {
            retryOnAnotherNode(at, from);
        } else {
            answer(new Answer.Unavailable(), 0);
        }
    }

    /** Continues at the next key, perhaps on another node; gives up a read that takes too long. */
    private void retryOnAnotherNode(ReadPoint at, Bytes from) {
        if (scheduler.nowMillis() - beganAtMillis > 30_000) {
            client.pause(20, 300);
            return;
        }
        var unused =
                scheduler.after(
                        scheduler.between(1, 400),
                        "next page",
                        () -> {
                            node = scheduler.pick(world.nodes());
                            long watermark = node.api().status(partitions).watermark();
                            page(world.mutation().nextPage(at, watermark), from);
                        });
    }

    /** The revision was compacted while its pages were read: from here on it is an exact read. */
    private void expired(ReadPoint at, RevisionExpiredException e) {
        if (e.replacement().isPresent()) {
            client.newEpochSeen(at.epoch() + 1);
        } else {
            scheduler.count(CoverageEvent.READS_COMPACTED);
            record(
                    new RequestedFreshness.Exactly(at.revision()),
                    new Answer.Gone(e.floor()),
                    at.epoch());
        }
        client.pause(1, 500);
    }

    private void answer(Answer answer, long epoch) {
        switch (answer) {
            case Answer.TimedOut _, Answer.Unavailable _ ->
                    scheduler.count(CoverageEvent.READS_REFUSED);
            case Answer.Gone _, Answer.Listed _ -> {}
        }
        record(ask, answer, epoch);
        client.pause(1, 1_500);
    }

    private void record(RequestedFreshness asked, Answer answer, long epoch) {
        // The client's own time between pages is not the server's.
        long endedAtMillis = paged ? beganAtMillis : scheduler.nowMillis();
        // A restore loses acknowledged writes.
        boolean sameHistory = world.etcd().historyNumber() == historyAtBegin;
        RecordedRead unused =
                client.record()
                        .add(
                                new RecordedRead(
                                        world.epochs().historyOf(epoch),
                                        scope.interest(),
                                        asked,
                                        answer,
                                        beganAtMillis,
                                        endedAtMillis,
                                        sameHistory ? acknowledgedAtBegin : 0,
                                        world.faults().etcdCutSince(beganAtMillis)));
    }
}
