package io.tidemark.simulation.node;

import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.peer.wire.WireException;
import io.tidemark.peer.wire.WireRequest;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.node.Network.Condition;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ReadRequest;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A replica on another node over a simulated link. Its reported state is slightly stale, and staler
 * on a slow link; on a cut link it stays unchanged until the cut is detected.
 */
public final class SimulatedPeerReplica implements Replica {
    /** How long a silent peer's last state counts. */
    private static final long SILENCE_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final Mutation mutation;
    private final int partition;
    private final Supplier<SimulatedNode> node;
    private final Supplier<Condition> link;
    private final BooleanSupplier dropsRequests;
    private final Listeners listeners;
    private PartitionState shown = PartitionState.EMPTY;
    private boolean followed;
    private boolean updateInFlight;
    private boolean silent;
    private long lastHeardMillis;
    private int subscribers;
    private int encoded;

    public SimulatedPeerReplica(
            Scheduler scheduler,
            Mutation mutation,
            int partition,
            Supplier<SimulatedNode> node,
            Supplier<Condition> link,
            BooleanSupplier dropsRequests) {
        this.scheduler = scheduler;
        this.mutation = mutation;
        this.partition = partition;
        this.node = node;
        this.link = link;
        this.dropsRequests = dropsRequests;
        this.listeners = new Listeners(partition);
    }

    @Override
    public PartitionState state() {
        return shown;
    }

    /** Whether this node has detected its silence. */
    @Override
    public boolean isDegraded() {
        return silent;
    }

    @Override
    public <T> Answer<T> ask(ReadRequest<T> request) {
        boolean lost = link.get() == Condition.CUT || dropsRequests.getAsBoolean();
        if (lost || !node.get().isResponsive()) {
            scheduler.count(CoverageEvent.PEER_FAILURES);
            return new Answer<>(
                    new ReadOutcome.ReplicaUnavailable<>("no answer"), PartitionState.EMPTY);
        }
        scheduler.count(CoverageEvent.PEER_ANSWERS);
        PartitionView view = node.get().local().view(partition);
        ReadOutcome<T> outcome = view.read(request);
        PartitionState then = view.state();
        Answer<T> answer =
                scheduler.oneIn(8)
                        ? throughWireCodec(wireVersion(), request, outcome, then)
                        : new Answer<>(outcome, then);
        return mutation.answer(answer);
    }

    /** Each in turn. */
    private WireVersion wireVersion() {
        List<WireVersion> spoken = WireVersions.all().spoken();
        return spoken.get(encoded++ % spoken.size());
    }

    /** Converted to bytes and back: no version of the wire format loses anything. */
    private static <T> Answer<T> throughWireCodec(
            WireVersion version,
            ReadRequest<T> request,
            ReadOutcome<T> outcome,
            PartitionState then) {
        try {
            byte[] question = version.encodeRequest(new WireRequest(request, Long.MAX_VALUE));
            if (!version.decodeRequest(question).read().equals(request)) {
                throw new IllegalStateException("another request arrives: " + request);
            }
            byte[] bytes = version.encodeAnswer(request, new WireAnswer<>(then, outcome), 256);
            WireAnswer<T> answer = version.decodeAnswer(request, bytes);
            return new Answer<>(answer.outcome(), answer.state());
        } catch (WireException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Subscription onChange(Runnable listener) {
        subscribers++;
        if (!followed) {
            followed = true;
            listen();
        }
        Subscription subscription = listeners.add(listener);
        return () -> {
            subscribers--;
            subscription.close();
        };
    }

    private void listen() {
        lastHeardMillis = scheduler.nowMillis();
        var unused = node.get().local().view(partition).onChange(this::stateChanged);
        stateChanged();
        checkReachability();
    }

    /** It has advanced: the state update is sent now and arrives later. */
    private void stateChanged() {
        if (subscribers > 0
                && !updateInFlight
                && node.get().isResponsive()
                && link.get() != Condition.CUT) {
            updateInFlight = true;
            boolean slow = link.get() == Condition.SLOW;
            long delay = slow ? scheduler.between(100, 1_500) : scheduler.between(1, 12);
            PartitionState then = node.get().local().view(partition).state();
            var unused = scheduler.after(delay, "peer", () -> stateReceived(then));
        }
    }

    private void stateReceived(PartitionState then) {
        updateInFlight = false;
        if (link.get() == Condition.CUT) {
            return;
        }
        lastHeardMillis = scheduler.nowMillis();
        show(mutation.advertisedState(then));
        if (!node.get().local().view(partition).state().equals(then)) {
            stateChanged();
        }
    }

    private void show(PartitionState next) {
        if (!next.equals(shown)) {
            shown = next;
            listeners.notifyListeners();
        }
    }

    /** Peers that are silent for too long count as down; peers that are back report their state. */
    private void checkReachability() {
        boolean reachable = node.get().isResponsive() && link.get() != Condition.CUT;
        silent = !reachable;
        if (reachable) {
            stateChanged();
        } else if (scheduler.nowMillis() - lastHeardMillis > SILENCE_MILLIS) {
            show(PartitionState.EMPTY);
        }
        if (subscribers > 0) {
            var unused =
                    scheduler.after(
                            scheduler.between(200, 600), "look around", this::checkReachability);
        }
    }
}
