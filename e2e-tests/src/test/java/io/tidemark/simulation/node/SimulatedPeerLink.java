package io.tidemark.simulation.node;

import io.tidemark.peer.cluster.PeerReplicas;
import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.link.AnswerBudget;
import io.tidemark.peer.link.NoCommonVersionException;
import io.tidemark.peer.link.PeerClient;
import io.tidemark.peer.link.PeerLink;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.peer.wire.WireException;
import io.tidemark.peer.wire.WireRequest;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanRequest;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The driver of one production link to another node, in virtual time. */
final class SimulatedPeerLink implements PeerClient {
    /** The first version of the wire format that can request kept messages. */
    private static final int FIRST_WITH_MESSAGES = 6;

    /** As production's client. */
    private static final long TIMEOUT_MILLIS = 2_500;

    private static final AnswerBudget AMPLE = new AnswerBudget(Long.MAX_VALUE);

    private final Scheduler scheduler;
    private final Mutation mutation;
    private final Network network;
    private final SimulatedNode node;
    private final SimulatedNode other;
    private final WireVersions own;
    private final PeerLink link;
    private @Nullable SimulatedStateStream stream;

    /** Of the last connection. */
    private @Nullable WireVersion version;

    private boolean closed;

    SimulatedPeerLink(
            Scheduler scheduler,
            Mutation mutation,
            Network network,
            SimulatedNode node,
            SimulatedNode other,
            WireVersions own) {
        this.scheduler = scheduler;
        this.mutation = mutation;
        this.network = network;
        this.node = node;
        this.other = other;
        this.own = own;
        this.link = new PeerLink(this, AMPLE, scheduler::nowNanos);
    }

    PeerReplicas replicas() {
        return link;
    }

    void checkAlive() {
        link.checkAlive();
    }

    void close() {
        closed = true;
        link.close();
    }

    boolean isCut() {
        return network.isCut(node.number(), other.number());
    }

    long delayMillis() {
        return network.delayMillis(node.number(), other.number());
    }

    /** Whether this node's process reads what has come. */
    boolean isReading() {
        return node.isResponsive();
    }

    /** A process that is down refuses, unless its machine is down too. */
    void connect() {
        boolean refused = !other.isUp() && !isCut() && scheduler.oneIn(2);
        if (refused || isCut() || !other.isResponsive()) {
            after(refused ? 1 : TIMEOUT_MILLIS, () -> failed(new IOException("no connection")));
        } else {
            after(delayMillis(), this::open);
        }
    }

    private void open() {
        if (isCut() || !other.isResponsive()) {
            after(TIMEOUT_MILLIS, () -> failed(new IOException("no answer")));
            return;
        }
        WireVersions theirs = other.peers().versions();
        try {
            WireVersion common =
                    own.newestCommon(theirs.announcement())
                            .orElseThrow(() ->
                                    new NoCommonVersionException(
                                            theirs.announcement(), own.announcement()));
            version = common;
            SimulatedStateStream opened =
                    new SimulatedStateStream(scheduler, mutation, this, link, other, common);
            stream = opened;
            scheduler.count(CoverageEvent.PEERS_CONNECTED);
            link.connected(opened);
            opened.start();
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException why) {
        link.failed(why);
        connectLater();
    }

    /** The connection has ended. */
    void ended(SimulatedStateStream which) {
        if (stream == which) {
            stream = null;
            connectLater();
        }
    }

    private void connectLater() {
        Duration pause = link.untilRetry(scheduler.random().nextDouble());
        after(pause.toMillis(), this::connect);
    }

    /** Unless the process has ended; when it is paused, later. */
    private void after(long millis, Runnable action) {
        var unused =
                scheduler.after(
                        millis,
                        "connect",
                        () -> {
                            if (!closed && node.isResponsive()) {
                                action.run();
                            } else if (!closed) {
                                after(50, action);
                            }
                        });
    }

    @Override
    public String name() {
        return "node " + other.number();
    }

    @Override
    public <T> WireAnswer<T> ask(int partition, ReadRequest<T> request, long maxBytes)
            throws IOException {
        WireVersion speaking = version;
        if (speaking == null || isCut() || network.losesRequest() || !other.isResponsive()) {
            scheduler.count(CoverageEvent.PEER_FAILURES);
            throw new IOException("no answer");
        }
        scheduler.count(CoverageEvent.PEER_ANSWERS);
        // Encoding costs as much as the read: some are enough.
        boolean encoded = scheduler.oneIn(8);
        ReadRequest<T> asked = known(speaking, request);
        if (encoded) {
            checkWireCodec(speaking, new WireRequest(request, maxBytes), asked);
        }
        PartitionView view = other.local().view(partition);
        ReadOutcome<T> outcome = view.read(asked);
        WireAnswer<T> answer = new WireAnswer<>(view.state(), outcome);
        if (stream != null) {
            stream.answered(partition, asked, answer);
        }
        if (encoded) {
            answer = speaking.decodeAnswer(asked, speaking.encodeAnswer(asked, answer, 256));
        }
        Replica.Answer<T> seen =
                mutation.answer(new Replica.Answer<>(answer.outcome(), answer.state()));
        return new WireAnswer<>(seen.then(), seen.outcome());
    }

    /** What arrives: older versions request whole objects instead of kept messages. */
    @SuppressWarnings("unchecked") // A request is typed by its answer.
    private static <T> ReadRequest<T> known(WireVersion version, ReadRequest<T> request) {
        if (version.number() >= FIRST_WITH_MESSAGES) {
            return request;
        }
        return (ReadRequest<T>)
                switch (request) {
                    case GetRequest get -> get.with(known(get.projection()));
                    case ScanRequest scan -> scan.with(known(scan.projection()));
                    default -> request;
                };
    }

    private static Projection known(Projection projection) {
        return switch (projection) {
            case Projection.Checksum _, Projection.Protobuf _, Projection.ProtobufLength _ ->
                    Projection.WHOLE;
            case Projection.Whole _, Projection.Metadata _ -> projection;
        };
    }

    /** Converted to bytes and back, nothing else is lost. */
    private static void checkWireCodec(
            WireVersion version, WireRequest request, ReadRequest<?> expected)
            throws WireException {
        ReadRequest<?> arrived = version.decodeRequest(version.encodeRequest(request)).read();
        if (!arrived.equals(expected)) {
            throw new IllegalStateException(arrived + " arrives instead of " + expected);
        }
    }
}
