package io.tidemark.simulation;

import io.tidemark.peer.cluster.Copy;
import io.tidemark.peer.wire.CallCodec;
import io.tidemark.peer.wire.StateCodec;
import io.tidemark.peer.wire.ViewCall;
import io.tidemark.peer.wire.WireException;
import io.tidemark.peer.wire.WireInput;
import io.tidemark.peer.wire.WireOutput;
import io.tidemark.simulation.Network.Condition;
import io.tidemark.simulation.world.Happening;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.ReadOutcome;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A copy on another node over a simulated link. What it shows of itself is a little old, and older
 * on a slow link; on a link that is cut it stays as it was until that is noticed.
 */
final class SimulatedCopy implements Copy {
    /** How long a silent peer is believed to stand where it stood. */
    private static final long SILENCE_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final Mutation mutation;
    private final int partition;
    private final Supplier<SimulatedNode> node;
    private final Supplier<Condition> link;
    private final BooleanSupplier loses;
    private final Listeners listeners;
    private PartitionState shown = PartitionState.EMPTY;
    private boolean followed;
    private boolean underWay;
    private boolean silent;
    private long heardAtMillis;
    private int subscribers;

    SimulatedCopy(
            Scheduler scheduler,
            Mutation mutation,
            int partition,
            Supplier<SimulatedNode> node,
            Supplier<Condition> link,
            BooleanSupplier loses) {
        this.scheduler = scheduler;
        this.mutation = mutation;
        this.partition = partition;
        this.node = node;
        this.link = link;
        this.loses = loses;
        this.listeners = new Listeners(partition);
    }

    @Override
    public PartitionState state() {
        return shown;
    }

    /** It has been silent, as far as was noticed. */
    @Override
    public boolean lastResort() {
        return silent;
    }

    @Override
    public <T> Answer<T> ask(ViewCall<T> call) {
        boolean lost = link.get() == Condition.CUT || loses.getAsBoolean();
        if (lost || !node.get().answers()) {
            scheduler.count(Happening.PEER_FAILURES);
            return new Answer<>(new ReadOutcome.NotHere<>("no answer"), PartitionState.EMPTY);
        }
        scheduler.count(Happening.PEER_ANSWERS);
        PartitionView view = node.get().local().view(partition);
        ReadOutcome<T> outcome = call.askOf(view);
        PartitionState then = view.state();
        Answer<T> answer =
                scheduler.oneIn(8) ? overTheWire(call, outcome, then) : new Answer<>(outcome, then);
        return mutation.answer(answer);
    }

    /** As bytes there and back: the wire's own code loses nothing. */
    private static <T> Answer<T> overTheWire(
            ViewCall<T> call, ReadOutcome<T> outcome, PartitionState then) {
        try {
            ViewCall<?> unused = CallCodec.read(CallCodec.write(call));
            WireOutput out = new WireOutput();
            StateCodec.write(then, out);
            CallCodec.writeOutcome(call, outcome, out);
            WireInput in = new WireInput(out.toByteArray());
            PartitionState read = StateCodec.read(in);
            Answer<T> answer = new Answer<>(CallCodec.readOutcome(call, in), read);
            in.end();
            return answer;
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
        heardAtMillis = scheduler.nowMillis();
        var unused = node.get().local().view(partition).onChange(this::moved);
        moved();
        lookAround();
    }

    /** It has moved: that is under way from now on, and arrives. */
    private void moved() {
        if (subscribers > 0 && !underWay && node.get().answers() && link.get() != Condition.CUT) {
            underWay = true;
            boolean slow = link.get() == Condition.SLOW;
            long delay = slow ? scheduler.between(100, 1_500) : scheduler.between(1, 12);
            PartitionState then = node.get().local().view(partition).state();
            var unused = scheduler.after(delay, "peer", () -> arrived(then));
        }
    }

    private void arrived(PartitionState then) {
        underWay = false;
        if (link.get() == Condition.CUT) {
            return;
        }
        heardAtMillis = scheduler.nowMillis();
        show(mutation.shown(then));
        if (!node.get().local().view(partition).state().equals(then)) {
            moved();
        }
    }

    private void show(PartitionState next) {
        if (!next.equals(shown)) {
            shown = next;
            listeners.tell();
        }
    }

    /** Peers that are silent for too long are gone; those that are back say where they stand. */
    private void lookAround() {
        boolean reachable = node.get().answers() && link.get() != Condition.CUT;
        silent = !reachable;
        if (reachable) {
            moved();
        } else if (scheduler.nowMillis() - heardAtMillis > SILENCE_MILLIS) {
            show(PartitionState.EMPTY);
        }
        if (subscribers > 0) {
            var unused =
                    scheduler.after(scheduler.between(200, 600), "look around", this::lookAround);
        }
    }
}
