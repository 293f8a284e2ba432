package io.tidemark.simulation.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.watch.LongPoll;
import io.tidemark.query.watch.WatchPermit;
import io.tidemark.query.watch.WatchRun;
import io.tidemark.serving.freshness.FreshnessWait;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import io.tidemark.simulation.promise.RecordedWatch;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One long poll of one client on one node. Production's cursor and {@link LongPoll} make the
 * document; this waits in virtual time. It is recorded as a watch with one bookmark: the revision
 * of the document, after which the client continues.
 */
final class ClientPoll {
    private static final String ADDRESS = "client";

    /** Small, so that documents end before all that is known. */
    private static final int MOST_BYTES = 1_500;

    private final World world;
    private final Scheduler scheduler;
    private final SimulatedNode node;
    private final NodeApi api;
    private final SimulatedClient client;
    private final ClientScope scope;
    private final EventEncoder form;
    private final ReadRecorder recorder;
    private final JudgedRequest judged;
    private final long acknowledgedAtBegin;
    private final long historyAtBegin;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private Admission admission;
    private WatchCursor cursor;
    private LongPoll poll;
    private RecordedWatch recorded;
    private long epoch;
    private long history;
    private long untilMillis;
    private boolean fromNow;
    private boolean inside;
    private long from;
    private boolean over;
    private WatchPermit permit;
    private @Nullable Step first;

    ClientPoll(World world, SimulatedNode node, SimulatedClient client, ClientScope scope) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.node = node;
        this.api = node.api();
        this.client = client;
        this.scope = scope;
        this.form = scope.events(api.encoders());
        this.recorder = new ReadRecorder(world, client, scope);
        this.judged = new JudgedRequest(world, client, api, scope.demands(true));
        this.acknowledgedAtBegin = world.etcd().revision();
        this.historyAtBegin = world.etcd().historyNumber();
    }

    /**
     * @param after where the client is; empty to wait for the first event from now on
     */
    void begin(OptionalLong after) {
        PartitionSet partitions = PartitionSet.of(scope.keys(), node.partitions());
        if (!judged.admit(api.status(partitions))) {
            client.pause(1, 1_500);
            return;
        }
        String version = after.isPresent() ? Long.toString(after.getAsLong()) : "";
        FreshnessWait wait = api.freshness().begin(partitions, LongPoll.state(version));
        awaitStart(after, wait);
    }

    private void awaitStart(OptionalLong after, FreshnessWait wait) {
        if (!isConnected() || api.hub().closed()) {
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
            recorder.record(
                    after.isPresent() ? new RequestedFreshness.Any() : new RequestedFreshness.Now(),
                    refusal,
                    0,
                    scheduler.nowMillis());
            client.pause(1, 1_500);
            return;
        }
        if (point.isEmpty()) {
            var unused =
                    scheduler.after(
                            scheduler.between(1, 40), "await", () -> awaitStart(after, wait));
        } else if (point.get().epoch() < client.epoch()) {
            client.pause(20, 300);
        } else if (after.isPresent() && point.get().epoch() != client.epoch()) {
            client.newEpochSeen(point.get().epoch());
            client.pause(10, 500);
        } else {
            awaitRules(after, point.get());
        }
    }

    private void awaitRules(OptionalLong after, ReadPoint start) {
        if (!isConnected() || api.hub().closed()) {
            client.pause(20, 300);
            return;
        }
        boolean allowed;
        try {
            allowed = judged.mayShow(start);
        } catch (JudgedRequest.Refused _) {
            client.pause(1, 1_500);
            return;
        }
        if (allowed) {
            open(after, start);
        } else {
            var unused =
                    scheduler.after(
                            scheduler.between(1, 40), "rules", () -> awaitRules(after, start));
        }
    }

    private boolean isConnected() {
        return node.isResponsive() && node.api() == api;
    }

    private void open(OptionalLong after, ReadPoint start) {
        from = LongPoll.start(after.orElse(0), start);
        epoch = start.epoch();
        history = world.epochs().historyOf(epoch);
        untilMillis = scheduler.nowMillis() + scheduler.between(0, 6_000);
        admission = api.hub().admit(ADDRESS, Integer.MAX_VALUE);
        WatchFilter filter =
                new WatchFilter(scope.keys(), scope.selection(), WatchFilter.WITHOUT_VERSIONS);
        cursor = admission.watch(filter, start.partitions(), epoch, from, form.projection());
        poll = new LongPoll(form, from, MOST_BYTES, _ -> {}, body);
        recorded =
                new RecordedWatch(
                        history,
                        epoch,
                        scope.interest(),
                        OptionalLong.of(from),
                        api.status(start.partitions()).floor());
        scheduler.count(CoverageEvent.LONG_POLLS);
        if (after.isPresent()) {
            var unused = client.record().add(recorded);
        } else {
            fromNow = true;
            scheduler.count(CoverageEvent.LONG_POLLS_FROM_NOW);
            // A restore loses acknowledged writes.
            boolean sameHistory = world.etcd().historyNumber() == historyAtBegin;
            recorded.beginsNow(sameHistory && history == historyAtBegin ? acknowledgedAtBegin : 0);
        }
        permit = judged.open(() -> {}, () -> end(null));
        permit.open();
        client.opened(judged);
        turnLater();
    }

    private void turnLater() {
        var unused = scheduler.after(scheduler.between(1, 150), "long poll", this::turn);
    }

    /** One turn of the server, which does not wait. */
    private void turn() {
        if (over) {
            return;
        }
        if (!isConnected()) {
            end(null);
            return;
        }
        try {
            Step step = first == null ? firstStep() : inside ? next() : first;
            if (step == null || !judged.mayTell(epoch, LongPoll.tells(first, from))) {
                turnLater();
                return;
            }
            inside = poll.take(step);
        } catch (JudgedRequest.Refused _) {
            end(null);
            return;
        } catch (StatusException e) {
            end(refusal(e));
            return;
        } catch (IOException e) {
            // The connection is reset.
            end(null);
            return;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (inside) {
            scheduler.count(CoverageEvent.LONG_POLLS_IN_PARTS);
            turnLater();
        } else {
            receive();
            end(null);
        }
    }

    /** Null while there is none. */
    private @Nullable Step firstStep() throws InterruptedException {
        permit.check();
        Step step = next();
        permit.check();
        if (step instanceof Step.NoEvents && scheduler.nowMillis() < untilMillis) {
            return null;
        }
        first = step;
        permit.close();
        client.closeOpen();
        return step;
    }

    private Step next() throws InterruptedException {
        Step step = cursor.next(scheduler.nowNanos());
        world.memory().observe(api.hub());
        return step;
    }

    private WatchLines.Line.Failure refusal(StatusException e) {
        WatchLines lines = new WatchLines(scope, world::newest);
        try {
            WatchRun.refuse(e, form, lines);
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
        return (WatchLines.Line.Failure) lines.take(history).getFirst().line();
    }

    private void receive() {
        JsonNode document = WireObject.parse(body.toByteArray());
        WatchLines lines = new WatchLines(scope, world::newest);
        for (JsonNode event : document.path("events")) {
            if (!(lines.read(event, history) instanceof WatchLines.Line.Event(var received))) {
                throw new IllegalStateException("in a long poll: " + event);
            }
            recorded.add(received);
            judged.shows("an event", epoch, received.revision());
        }
        if (document.path("events").isEmpty()) {
            scheduler.count(CoverageEvent.LONG_POLLS_WITHOUT_EVENTS);
        }
        if (fromNow) {
            // Without an answer the client does not know where it began.
            var unused = client.record().add(recorded);
        }
        long through = document.path("metadata").path("resourceVersion").asLong();
        recorded.add(new Received.Bookmark(through, false));
        if (!(first instanceof Step.Ended)) {
            judged.shows("the revision of a long poll", epoch, through);
        }
        client.advanceTo(epoch, through);
    }

    /**
     * @param refused why the node refused it; null otherwise
     */
    private void end(WatchLines.Line.@Nullable Failure refused) {
        if (over) {
            return;
        }
        over = true;
        permit.close();
        client.closeOpen();
        if (refused != null && refused.isCutShort()) {
            client.mustRelist();
        } else if (refused != null && refused.code() == 410) {
            boolean replaced =
                    refused.newEpoch() > epoch && world.epochs().historyOf(refused.newEpoch()) != 0;
            scheduler.count(CoverageEvent.WATCHES_EXPIRED);
            recorded.add(new Received.Expired(replaced ? Long.MAX_VALUE : refused.floor()));
            if (replaced) {
                client.newEpochSeen(refused.newEpoch());
            } else {
                client.mustRelist();
            }
        }
        recorded.add(new Received.Ended(recorded.newestRevision()));
        cursor.close();
        admission.close();
        world.memory().observe(api.hub());
        client.pause(1, 500);
    }
}
