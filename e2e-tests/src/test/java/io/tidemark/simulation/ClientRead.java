package io.tidemark.simulation;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.query.read.MergedScan;
import io.tidemark.query.read.PageLimits;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.ReadPoint;
import io.tidemark.query.read.RevisionExpiredException;
import io.tidemark.query.read.Tide;
import io.tidemark.query.status.StatusException;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.promise.Item;
import io.tidemark.simulation.promise.RecordedRead;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.Ask;
import io.tidemark.simulation.promise.RecordedRead.Page;
import io.tidemark.simulation.world.Happening;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One LIST of one client, by the rules of the server's freshness, in virtual time; its pages may be
 * served by different nodes.
 */
final class ClientRead {
    private static final PageLimits SCAN_PAGE = new PageLimits(3, 1_000);

    private final World world;
    private final Scheduler scheduler;
    private final SimulatedClient client;
    private final Scope scope;
    private final Ask ask;
    private final PartitionSet partitions;
    private final int limit;
    private final long beganAtMillis;
    private final long acknowledgedAtBegin;
    private final long historyAtBegin;
    private final List<Page> pages = new ArrayList<>();
    private SimulatedNode node;
    private boolean paged;

    ClientRead(World world, SimulatedNode node, SimulatedClient client, Scope scope, Ask ask) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.node = node;
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
        Tide tide = node.api().tide(partitions);
        boolean ended = tide.epoch() < client.epoch() && world.mutation().epochsEnd();
        if (!tide.ready() || ended) {
            client.pause(20, 300);
            return;
        }
        switch (ask) {
            case Ask.Now _ -> {
                var unused = scheduler.after(scheduler.between(0, 5), "barrier", this::barrier);
            }
            case Ask.AtLeast(long revision) -> await(tide.epoch(), revision);
            case Ask.Exactly(long revision) -> await(tide.epoch(), revision);
            case Ask.Any _ -> await(tide.epoch(), tide.isSettled() ? 0 : tide.floor());
        }
    }

    /** Asks the connector for etcd's revision. */
    private void barrier() {
        if (!node.answers()) {
            client.pause(20, 300);
            return;
        }
        OptionalLong revision = OptionalLong.empty();
        Tide tide = node.api().tide(partitions);
        long epoch = tide.epoch();
        Optional<ResumePoint.At> barrier = world.connectors().barrier();
        if (barrier.isPresent()) {
            epoch = barrier.get().epoch();
            revision = OptionalLong.of(barrier.get().revision());
        }
        revision = world.mutation().barrier(revision, tide.watermark());
        if (revision.isEmpty()) {
            answer(new Answer.TimedOut(), 0);
            return;
        }
        long told = revision.getAsLong();
        long ofEpoch = epoch;
        var unused =
                scheduler.after(
                        scheduler.between(0, 20), "barrier back", () -> await(ofEpoch, told));
    }

    private void await(long epoch, long revision) {
        if (!node.answers()) {
            client.pause(20, 300);
            return;
        }
        Tide tide = node.api().tide(partitions);
        boolean reached =
                tide.ready()
                        && tide.isSettled()
                        && tide.epoch() >= epoch
                        && tide.watermark() >= revision;
        long left = world.mutation().patienceMillis() - (scheduler.nowMillis() - beganAtMillis);
        if (reached || (tide.ready() && !world.mutation().waits())) {
            read(tide);
        } else if (left <= 0) {
            answer(new Answer.TimedOut(), 0);
        } else {
            long delay = Math.min(left, scheduler.between(1, 40));
            var unused = scheduler.after(delay, "await", () -> await(epoch, revision));
        }
    }

    private void read(Tide tide) {
        long revision = tide.watermark();
        if (ask instanceof Ask.Exactly(long exact)) {
            boolean replaced = tide.epoch() != client.epoch();
            if (replaced || exact < tide.floor()) {
                if (replaced) {
                    client.startedOver(tide.epoch());
                }
                answer(new Answer.Gone(replaced ? Long.MAX_VALUE : tide.floor()), tide.epoch());
                return;
            }
            revision = exact;
        }
        scheduler.count(Happening.READS);
        ReadPoint at = new ReadPoint(partitions, tide.epoch(), revision, tide.asOfMillis());
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
        if (!node.answers()) {
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
            List<Item> items = objects.stream().map(Shown::item).toList();
            // Asked before the page counts: who cannot tell has to read it again.
            boolean more = scan.hasNext();
            pages.add(new Page(at.revision(), items));
            if (more) {
                if (!paged) {
                    scheduler.count(Happening.READS_IN_PAGES);
                }
                paged = true;
                Bytes last = objects.getLast().key();
                elsewhere(at, world.mutation().continuesBehind() ? last.successor() : last);
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
        client.learned(at.epoch(), ask instanceof Ask.Exactly ? 0 : at.revision());
        answer(new Answer.Listed(at.revision(), pages, ageMillis(at)), at.epoch());
    }

    private long ageMillis(ReadPoint at) {
        boolean comparable =
                !paged && !(ask instanceof Ask.Exactly) && world.faults().clocksAgree();
        return comparable ? scheduler.nowMillis() - at.asOfMillis() : -1;
    }

    /** 503: who is in the middle of a list tries the same page again, elsewhere perhaps. */
    private void refused(ReadPoint at, Bytes from) {
        if (paged) {
            elsewhere(at, from);
        } else {
            answer(new Answer.Unavailable(), 0);
        }
    }

    /** Goes on at the next key, on another node perhaps; a read that takes too long is left. */
    private void elsewhere(ReadPoint at, Bytes from) {
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
                            long watermark = node.api().tide(partitions).watermark();
                            page(world.mutation().nextPage(at, watermark), from);
                        });
    }

    /** The revision went while its pages were read: an exact read from then on. */
    private void expired(ReadPoint at, RevisionExpiredException e) {
        if (e.replacement().isPresent()) {
            client.startedOver(at.epoch() + 1);
        } else {
            record(new Ask.Exactly(at.revision()), new Answer.Gone(e.floor()), at.epoch());
        }
        client.pause(1, 500);
    }

    private void answer(Answer answer, long epoch) {
        switch (answer) {
            case Answer.Gone _ -> scheduler.count(Happening.READS_GONE);
            case Answer.TimedOut _, Answer.Unavailable _ ->
                    scheduler.count(Happening.READS_REFUSED);
            case Answer.Listed _ -> {}
        }
        record(ask, answer, epoch);
        client.pause(1, 1_500);
    }

    private void record(Ask asked, Answer answer, long epoch) {
        // What the client takes for its pages is its own time, not the server's.
        long endedAtMillis = paged ? beganAtMillis : scheduler.nowMillis();
        // What a restore has lost was acknowledged in vain.
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
