package io.tidemark.simulation.client;

import io.tidemark.query.compress.Compression;
import io.tidemark.query.compress.StreamCoding;
import io.tidemark.simulation.model.Demand;
import io.tidemark.simulation.model.Identity;
import io.tidemark.simulation.model.ModelShard;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.node.NodeApi;
import io.tidemark.simulation.node.SimulatedNode;
import io.tidemark.simulation.promise.RecordedClient;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.RolePlan;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SecretMode;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A client that lists, watches or polls from its position, loses its connection, reconnects to
 * another node and resumes, forever. It carries its resourceVersion and also the epoch, which no
 * client on the wire can.
 */
public final class SimulatedClient {
    /** Of clients one after the other. */
    private static final List<ModelShard> SHARDS =
            List.of(
                    ModelShard.LOWER,
                    ModelShard.ALL,
                    ModelShard.UPPER,
                    ModelShard.ALL,
                    ModelShard.LOWER);

    private final World world;
    private final Scheduler scheduler;
    private final RecordedClient record;
    private final String acceptEncoding;
    private final Identity identity;
    private final ClientScope scope;

    /** The same for long polls, whose documents are JSON. */
    private final ClientScope polled;

    private final boolean slow;
    private long epoch;
    private long revision;
    private boolean mustList;
    private boolean done;
    private @Nullable SimulatedNode last;
    private @Nullable JudgedRequest open;

    public SimulatedClient(World world, int number) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.record = new RecordedClient("client " + number);
        this.acceptEncoding =
                switch (number % 4) {
                    case 1 -> "gzip";
                    case 3 -> "zstd";
                    default -> "";
                };
        this.identity = RolePlan.identity(number);
        SecretMode secrets = world.settings().secrets();
        ClientScope picked = ClientScope.pick(scheduler, secrets);
        // Where Secrets lie at keys of other kinds, a list may hold what has no message.
        boolean inProtobuf = number % 3 == 1 && !secrets.areMirrored();
        this.polled = picked.of(SHARDS.get(number % SHARDS.size()));
        this.scope = inProtobuf ? polled.inProtobuf() : polled;
        this.slow = scheduler.oneIn(4);
    }

    public void start() {
        var unused = scheduler.after(scheduler.between(0, 2_000), "client", this::next);
    }

    /** Begins no further request. */
    public void finish() {
        done = true;
    }

    public RecordedClient record() {
        return record;
    }

    /** Every other client accepts gzip or zstd. */
    StreamCoding codingOfWatches(NodeApi api) {
        return api.compression().ofWatch(acceptEncoding);
    }

    /** The body of an answer to it. */
    ListBody listBody(NodeApi api) throws IOException {
        return new ListBody(Compression.ofBody(acceptEncoding), api.compression().shared());
    }

    /** Who nodes take it for. */
    public Identity identity() {
        return identity;
    }

    /** What its requests need, other than watches and polls. */
    public List<Demand> demands() {
        return scope.demands(false);
    }

    /** It has opened a watch or a long poll. */
    void opened(JudgedRequest request) {
        open = request;
        request.opened();
    }

    /** Its open request has ended, or the run has. */
    public void closeOpen() {
        if (open != null) {
            open.closed();
            open = null;
        }
    }

    private void next() {
        List<SimulatedNode> up =
                world.nodes().stream().filter(SimulatedNode::isResponsive).toList();
        if (done) {
            return;
        }
        if (up.isEmpty()) {
            pause(50, 200);
            return;
        }
        SimulatedNode node = scheduler.pick(up);
        countRequest(node);
        if (revision > 0 && !mustList && !scheduler.oneIn(4)) {
            if (scheduler.oneIn(5)) {
                new ClientPoll(world, node, this, polled).begin(OptionalLong.of(revision));
            } else {
                new ClientWatch(world, node, this, scope, slow).begin(epoch, revision);
            }
        } else if (scheduler.oneIn(4)) {
            new ClientWatch(world, node, this, scope, slow).beginWithState(askForState());
        } else if (scheduler.oneIn(8)) {
            new ClientPoll(world, node, this, polled).begin(OptionalLong.empty());
        } else {
            new ClientRead(world, node, this, scope, ask()).begin();
        }
    }

    private void countRequest(SimulatedNode node) {
        if (last != null && last != node) {
            scheduler.count(CoverageEvent.CLIENTS_MOVED);
        }
        last = node;
        switch (scope.form()) {
            case KEY_VALUES -> {}
            case OBJECTS -> scheduler.count(CoverageEvent.REQUESTS_FOR_OBJECTS);
            case METADATA -> scheduler.count(CoverageEvent.REQUESTS_FOR_METADATA);
            case TABLE -> scheduler.count(CoverageEvent.REQUESTS_FOR_TABLES);
            case OBJECTS_IN_PROTOBUF, METADATA_IN_PROTOBUF ->
                    scheduler.count(CoverageEvent.REQUESTS_FOR_PROTOBUF);
        }
        if (scope.interest().shard() != ModelShard.ALL) {
            scheduler.count(CoverageEvent.REQUESTS_FOR_SHARDS);
        }
        if (!scope.interest().selector().fields().isEmpty()) {
            scheduler.count(CoverageEvent.REQUESTS_BY_FIELD);
        }
    }

    void countSecret(String shown) {
        if (shown.contains(Payload.HIDDEN)) {
            scheduler.count(CoverageEvent.SECRETS_SHOWN);
        }
    }

    private RequestedFreshness ask() {
        if (revision == 0) {
            return scheduler.oneIn(3) ? new RequestedFreshness.Now() : new RequestedFreshness.Any();
        }
        return switch (scheduler.random().nextInt(mustList ? 2 : 0, 5)) {
            case 0 -> new RequestedFreshness.Any();
            case 1 ->
                    new RequestedFreshness.Exactly(
                            Math.max(1, revision - scheduler.between(0, 60)));
            case 2, 3 -> new RequestedFreshness.AtLeast(revision);
            default -> new RequestedFreshness.Now();
        };
    }

    private RequestedFreshness askForState() {
        return switch (ask()) {
            case RequestedFreshness.Exactly _ -> new RequestedFreshness.Now();
            case RequestedFreshness any -> any;
        };
    }

    /** Records a revision that it has seen. */
    void advanceTo(long newEpoch, long newRevision) {
        mustList = false;
        if (newEpoch != epoch) {
            newEpochSeen(newEpoch);
            mustList = false;
        }
        revision = Math.max(revision, newRevision);
    }

    /** Its revision was compacted: it relists, though not at an older state. */
    void mustRelist() {
        mustList = true;
    }

    /**
     * The mirror has begun a new epoch: what the client saw counts only if etcd's history is the
     * same.
     */
    void newEpochSeen(long newEpoch) {
        if (world.epochs().historyOf(newEpoch) != world.epochs().historyOf(epoch)) {
            revision = 0;
        }
        epoch = newEpoch;
        mustList = true;
    }

    long epoch() {
        return epoch;
    }

    /** Pauses, then continues. */
    void pause(long lowMillis, long highMillis) {
        var unused =
                scheduler.after(scheduler.between(lowMillis, highMillis), "client", this::next);
    }
}
