package io.tidemark.simulation.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.group.ObjectScans;
import io.tidemark.query.http.list.ListPages;
import io.tidemark.query.http.list.ListQuery;
import io.tidemark.query.http.list.ListStart;
import io.tidemark.query.http.list.ListWriter;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.FreshnessWait;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusException;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.Page;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.object.Projection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One LIST of one client in virtual time; different nodes may serve its pages. */
final class ClientRead {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final World world;
    private final Scheduler scheduler;
    private final SimulatedClient client;
    private final ClientScope scope;
    private final RequestedFreshness ask;
    private final PartitionSet partitions;
    private final long limit;
    private final ReadRecorder recorder;
    private final List<Page> pages = new ArrayList<>();
    private SimulatedNode node;
    private NodeApi api;
    private ListQuery query;
    private ListStart.Requested requested;
    private ByteBudget.Share memory;
    private FreshnessWait wait;
    private JudgedRequest judged;
    private String next = "";
    private int attempt = 1;

    /** That of the first page. */
    private long epoch;

    private boolean paged;
    private long stateArrivedAtMillis;
    private long askedAtMillis;
    private boolean awaitsState;

    /** Until states arrived, of all attempts at a page: the wait for rules has its own limit. */
    private long waitedMillis;

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
        this.limit = scheduler.oneIn(2) ? 0 : scheduler.random().nextInt(1, 6);
        this.recorder = new ReadRecorder(world, client, scope);
    }

    void begin() {
        request("");
    }

    /** Requests a page from the node. */
    private void request(String token) {
        judged = new JudgedRequest(world, client, api, scope.demands(false));
        if (!judged.admit(api.status(partitions))) {
            // Also in the middle of a list, which it then gives up.
            client.pause(1, 1_500);
            return;
        }
        query = query(token.isEmpty() ? "" : tokenOnArrival(token));
        requested = ListStart.Requested.of(query);
        askedAtMillis = scheduler.nowMillis();
        awaitsState = true;
        wait =
                api.freshness()
                        .begin(
                                partitions,
                                world.mutation().requested(requested.state()),
                                Duration.ofMillis(waitedMillis));
        poll();
    }

    private String tokenOnArrival(String token) {
        return world.mutation().tokenFor(token, api.status(partitions).epoch());
    }

    private ListQuery query(String token) {
        String version = paged ? "" : resourceVersion();
        String match =
                switch (ask) {
                    case RequestedFreshness.AtLeast _ when !paged -> ListOptions.NOT_OLDER_THAN;
                    case RequestedFreshness.Exactly _ when !paged -> ListOptions.EXACT;
                    default -> "";
                };
        ListOptions options =
                new ListOptions(
                        "",
                        "",
                        "",
                        false,
                        false,
                        false,
                        Optional.empty(),
                        version,
                        match,
                        OptionalLong.empty(),
                        limit,
                        token,
                        null);
        return new ListQuery(
                scope.keys(),
                Bytes.EMPTY,
                scope.keys().key(),
                scope.form().tokenKeys(),
                scope.selection(),
                options,
                "application/json",
                () -> scope.form().list(api.encoders(), scope.resource(), memory),
                "simulated",
                Optional.empty(),
                scope.interest().shard().selector());
    }

    private String resourceVersion() {
        return switch (ask) {
            case RequestedFreshness.Now _ -> "";
            case RequestedFreshness.AtLeast(long revision) -> Long.toString(revision);
            case RequestedFreshness.Exactly(long revision) -> Long.toString(revision);
            case RequestedFreshness.Any _ -> "0";
        };
    }

    private void poll() {
        if (!node.isResponsive() || node.api() != api) {
            disconnected();
            return;
        }
        Optional<ReadPoint> point;
        try {
            point = wait.poll();
        } catch (StatusException e) {
            refused(e);
            return;
        }
        if (point.isPresent()) {
            stateArrivedAtMillis = scheduler.nowMillis();
            waitedMillis += stateArrivedAtMillis - askedAtMillis;
            awaitsState = false;
            awaitRules(point.get());
        } else {
            var unused = scheduler.after(scheduler.between(1, 40), "await", this::poll);
        }
    }

    private void awaitRules(ReadPoint at) {
        if (!node.isResponsive() || node.api() != api) {
            disconnected();
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
            read(at);
        } else {
            var unused = scheduler.after(scheduler.between(1, 40), "rules", () -> awaitRules(at));
        }
    }

    private void read(ReadPoint at) {
        if (at.epoch() < client.epoch() && world.mutation().rejectsOlderEpochs()) {
            disconnected();
            return;
        }
        boolean ofThisHistory = ask instanceof RequestedFreshness.Exactly && !paged;
        if (ofThisHistory && at.epoch() != client.epoch()) {
            // The revision is one of the history before.
            client.newEpochSeen(at.epoch());
            client.pause(1, 1_500);
            return;
        }
        if (paged) {
            long watermark = api.status(partitions).watermark();
            page(world.mutation().nextPage(at, watermark));
        } else {
            scheduler.count(CoverageEvent.READS);
            page(world.mutation().firstPage(at, highestWatermark()));
        }
    }

    private long highestWatermark() {
        long highest = 0;
        for (int p = partitions.first(); p < partitions.endExclusive(); p++) {
            highest = Math.max(highest, api.directory().view(p).state().watermark());
        }
        return highest;
    }

    private void page(ReadPoint at) {
        ListStart start;
        try {
            start = requested.at(at);
        } catch (StatusException e) {
            continuedElsewhere(e, at.epoch());
            return;
        }
        JsonNode document;
        try {
            document = WireObject.list(response(start), scope.form());
        } catch (RevisionExpiredException e) {
            expired(start, e);
            return;
        } catch (StatusException e) {
            refused(e);
            return;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        epoch = paged ? epoch : at.epoch();
        long revision = document.path("metadata").path("resourceVersion").asLong();
        List<Item> items = new ArrayList<>();
        String member = scope.form() == ClientForm.TABLE ? "rows" : "items";
        document.path(member).forEach(item -> items.add(WireObject.item(item, scope, false)));
        items.forEach(item -> client.countSecret(item.shown()));
        pages.add(new Page(revision, items));
        String token = document.path("metadata").path("continue").asText();
        if (!token.isEmpty()) {
            if (!paged) {
                scheduler.count(CoverageEvent.READS_IN_PAGES);
            }
            paged = true;
            Bytes last = items.getLast().key();
            int prefix = query.prefix().length();
            next = world.mutation().continueToken(token, last.slice(prefix, last.length()));
            continueOnAnotherNode();
            return;
        }
        client.advanceTo(epoch, ask instanceof RequestedFreshness.Exactly ? 0 : revision);
        answer(new Answer.Listed(revision, pages, stalenessMillis(at)), epoch);
    }

    /** The body that the node sends, which it holds in memory until the client has it. */
    private byte[] response(ListStart start) throws IOException, InterruptedException {
        ByteBudget budget = api.lists();
        ByteBudget.Share share = world.lists().begin(budget, client.identity().user());
        memory = share;
        try {
            byte[] body = response(start, ReadAllowance.of(share, () -> false, () -> {}, LONGEST));
            world.lists().observe(budget);
            if (world.settings().limitsLists()) {
                var unused =
                        scheduler.after(
                                scheduler.between(1, 2_500),
                                "list read",
                                () -> world.lists().end(budget, share));
            } else {
                world.lists().end(budget, share);
            }
            return body;
        } catch (StatusException | RevisionExpiredException e) {
            world.lists().end(budget, share);
            throw e;
        }
    }

    private byte[] response(ListStart start, ReadAllowance allowance)
            throws IOException, InterruptedException {
        ListEncoder form = query.form().get();
        ObjectScans scans = (projection, from) -> scan(start, from, projection, allowance);
        try (ListBody body = client.listBody(api)) {
            long unused;
            if (ListPages.isLimited(query)) {
                MergedScan scan = scans.begin(form.projection());
                unused =
                        ListWriter.writePage(
                                form, api.pages().read(query, start, scan, allowance), scan, body);
            } else {
                ListMeta meta =
                        new ListMeta(Long.toString(start.at().revision()), "", 0, query.shard());
                unused = ListWriter.writeAll(form, meta, query.unselected(), scans, body);
            }
            return body.read();
        }
    }

    private MergedScan scan(
            ListStart start, Bytes from, Projection projection, ReadAllowance allowance) {
        return api.view()
                .scan(
                        query.scope(),
                        query.selection(),
                        from.length() > 0 ? from : start.from(),
                        start.at(),
                        NodeApi.SCAN_PAGE,
                        projection,
                        allowance);
    }

    private long stalenessMillis(ReadPoint at) {
        boolean comparable =
                !paged
                        && !(ask instanceof RequestedFreshness.Exactly)
                        && world.faults().clocksAgree();
        return comparable ? stateArrivedAtMillis - at.asOfMillis() : -1;
    }

    /** In the middle of a list the client requests the same page again. */
    private void refused(StatusException e) {
        if (paged) {
            continueOnAnotherNode();
            return;
        }
        answer(
                switch (e.status().code()) {
                    case 504 -> new Answer.TimedOut();
                    case 429 -> {
                        scheduler.count(CoverageEvent.READS_WITHOUT_MEMORY);
                        yield new Answer.Unavailable();
                    }
                    case 503 -> new Answer.Unavailable();
                    default -> throw new IllegalStateException(e);
                },
                0);
    }

    private void disconnected() {
        if (paged) {
            continueOnAnotherNode();
        } else {
            client.pause(20, 300);
        }
    }

    /** The list began in another history than the node shows: the client lists again. */
    private void continuedElsewhere(StatusException e, long nodesEpoch) {
        if (e.status().code() != 410 || nodesEpoch == epoch) {
            throw new IllegalStateException("continued in epoch " + nodesEpoch, e);
        }
        scheduler.count(CoverageEvent.LISTS_CONTINUED_ELSEWHERE);
        client.newEpochSeen(nodesEpoch);
        client.pause(1, 500);
    }

    /** Requests the next page, perhaps from another node; gives up a read that takes too long. */
    private void continueOnAnotherNode() {
        if (scheduler.nowMillis() - recorder.beganAtMillis() > 30_000) {
            client.pause(20, 300);
            return;
        }
        var unused =
                scheduler.after(
                        scheduler.oneIn(10)
                                ? scheduler.between(1_000, 5_000)
                                : scheduler.between(1, 400),
                        "next page",
                        () -> {
                            node = scheduler.pick(world.nodes());
                            api = node.api();
                            waitedMillis = 0;
                            request(next);
                        });
    }

    /** The revision was compacted while the page was read. */
    private void expired(ListStart start, RevisionExpiredException e) {
        if (start.isRetried(attempt)) {
            attempt++;
            request("");
            return;
        }
        if (start.expired(query).status().code() != 410) {
            throw new IllegalStateException(start.expired(query));
        }
        ReadPoint at = start.at();
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
        long waiting = awaitsState ? scheduler.nowMillis() - askedAtMillis : 0;
        long ended = recorder.beganAtMillis() + (paged ? 0 : waitedMillis + waiting);
        recorder.record(asked, answer, epoch, ended);
    }
}
