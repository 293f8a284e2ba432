package io.tidemark.chaos.check;

import io.tidemark.chaos.client.ReadObserver;
import io.tidemark.chaos.client.RecordedGet;
import io.tidemark.chaos.client.WatchLog;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.load.EtcdOracleWatch;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.model.ReferenceModel;
import io.tidemark.simulation.model.Version;
import io.tidemark.simulation.promise.FleetGuarantees;
import io.tidemark.simulation.promise.Guarantees;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.RecordedClient;
import io.tidemark.simulation.promise.RecordedRead;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedReplica;
import io.tidemark.simulation.promise.RecordedWatch;
import io.tidemark.simulation.promise.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Checks what clients recorded against the truth. Reads are checked during the run, as soon as the
 * truth is known through their revision, and then forgotten; watches at the end. One thread, the
 * model's, calls everything except the methods of {@link ReadObserver}.
 */
public final class HistoryChecker implements ReadObserver {
    /** Violations kept of each promise; more of the same do not help. */
    private static final int MAX_VIOLATIONS = 100;

    private final ObjectSpace space;
    private final AcknowledgedWrites acknowledged;
    private final Queue<EtcdOracleWatch.Revision> truth;
    private final ReferenceModel model;
    private final Queue<Pending> arrived = new ConcurrentLinkedQueue<>();
    private final Queue<Violation> complaints = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
    private final Map<String, RecordedClient> clients = new HashMap<>();
    private final EnumMap<Promise, Integer> counts = new EnumMap<>(Promise.class);
    private final List<Violation> violations = new ArrayList<>();
    private final AtomicInteger found = new AtomicInteger();
    private final AtomicLong judged = new AtomicLong();

    /** A read that is checked once the truth is known through {@code revision}. */
    private record Pending(String client, long revision, Object read) {}

    /**
     * @param truth the next changes; taken from the queue
     * @param model the earlier ones; belongs to the checker while it works
     */
    public HistoryChecker(
            ObjectSpace space,
            AcknowledgedWrites acknowledged,
            Queue<EtcdOracleWatch.Revision> truth,
            ReferenceModel model) {
        this.model = model;
        this.space = space;
        this.acknowledged = acknowledged;
        this.truth = truth;
    }

    @Override
    public void read(String client, RecordedRead read) {
        long revision = Math.max(read.newestRevision(), read.acknowledgedAtBegin());
        arrived.add(new Pending(client, revision, read));
    }

    @Override
    public void read(RecordedGet get) {
        long own = get.item() == null ? 0 : get.item().revision();
        // A 404 may reflect a delete that etcd has not acknowledged yet; soon it has.
        long known = Math.max(get.atLeast(), Math.max(own, acknowledged.newest() + 1));
        arrived.add(new Pending(get.client(), known, get));
    }

    @Override
    public void complaint(String client, String what) {
        complaints.add(new Violation(Promise.HONEST, client + ": " + what));
    }

    /** Processes what has arrived since; returns whether there was anything. */
    public boolean advance() {
        boolean busy = false;
        for (EtcdOracleWatch.Revision next = truth.poll(); next != null; next = truth.poll()) {
            commit(next);
            busy = true;
        }
        for (AcknowledgedWrites.Write write = acknowledged.nextUnchecked();
                write != null && write.revision() <= model.current().revision();
                write = acknowledged.nextUnchecked()) {
            check(write);
            acknowledged.checked();
        }
        for (Pending next = arrived.poll(); next != null; next = arrived.poll()) {
            waiting.add(next);
        }
        busy |= waiting.removeIf(this::judge);
        for (Violation next = complaints.poll(); next != null; next = complaints.poll()) {
            note(next);
        }
        return busy;
    }

    private void commit(EtcdOracleWatch.Revision next) {
        long revision = model.commit(next.writes(), 0, next.atMillis());
        if (revision != next.revision()) {
            throw new IllegalStateException(
                    "etcd's watch delivered %d after %d".formatted(next.revision(), revision - 1));
        }
    }

    /** etcd's watch delivered what etcd acknowledged. */
    private void check(AcknowledgedWrites.Write write) {
        long revision = write.revision();
        Map<Bytes, @Nullable String> delivered = new HashMap<>();
        model.current()
                .facts(revision - 1, revision)
                .forEach(fact -> delivered.put(fact.key(), shown(fact.current())));
        write.values()
                .forEach((key, hash) -> {
                    String expected = hash == null ? null : EtcdOracleWatch.shown(hash);
                    boolean needless = hash == null && !delivered.containsKey(key);
                    if (!needless && !Objects.equals(delivered.get(key), expected)) {
                        note(
                                new Violation(
                                        Promise.SOUND,
                                        "etcd acknowledged %s@%d, but delivered %s"
                                                .formatted(key, revision, delivered)));
                    }
                });
    }

    private static @Nullable String shown(@Nullable Version version) {
        return version == null ? null : version.payload().shown();
    }

    private boolean judge(Pending pending) {
        if (pending.revision() > model.current().revision()) {
            return false;
        }
        judged.incrementAndGet();
        switch (pending.read()) {
            case RecordedGet get -> {
                GetGuarantees.snapshot(get, truth()).ifPresent(this::note);
                GetGuarantees.fresh(get, truth()).ifPresent(this::note);
            }
            case RecordedRead read -> {
                new Guarantees(model, 0).check(read).violations().forEach(this::note);
                clients.computeIfAbsent(pending.client(), RecordedClient::new)
                        .add(withoutItems(read));
            }
            default -> throw new IllegalStateException("not a read: " + pending);
        }
        return true;
    }

    /** What later checks still need after the separate one. */
    private static RecordedRead withoutItems(RecordedRead read) {
        return new RecordedRead(
                read.epoch(),
                read.interest(),
                read.ask(),
                new Answer.Listed(read.newestRevision(), List.of(), -1),
                read.beganAtMillis(),
                read.endedAtMillis(),
                read.acknowledgedAtBegin(),
                read.etcdCutThroughout());
    }

    /** The last revision through {@code throughRevision} that this watch must have received. */
    public long lastExpected(WatchLog log, long throughRevision) {
        RecordedWatch empty = log.recorded(space, 0);
        long start = empty.start().orElse(0);
        List<Received.Event> expected = truth().expected(empty.interest(), start, throughRevision);
        return expected.isEmpty() ? start : expected.getLast().revision();
    }

    /**
     * A watch that must have received everything through {@code throughRevision} by its end. What
     * is missing breaks {@code RELIABLE}.
     */
    public void check(WatchLog log, long throughRevision) {
        RecordedWatch watch = log.recorded(space, Integer.MAX_VALUE);
        new Guarantees(model, 0)
                .check(watch).violations().stream()
                        .map(violation ->
                                new Violation(
                                        violation.promise(),
                                        log.name() + ": " + violation.detail()))
                        .forEach(this::note);
        long last = lastExpected(log, throughRevision);
        if (watch.newestRevision() < last) {
            note(
                    new Violation(
                            Promise.RELIABLE,
                            "%s: %s is at %d, but %d should have arrived"
                                    .formatted(log.name(), watch, watch.newestRevision(), last)));
        }
    }

    /** What a node holds at the end. */
    public void check(RecordedReplica replica) {
        FleetGuarantees.convergent(replica, truth()).ifPresent(this::note);
    }

    /** The promises about readers' whole lives; at the end. */
    public void checkClients() {
        for (RecordedClient client : clients.values()) {
            FleetGuarantees.monotonic(client).ifPresent(this::note);
            FleetGuarantees.noTimeTravel(client).ifPresent(this::note);
        }
        waiting.forEach(pending ->
                note(
                        new Violation(
                                Promise.NO_TIME_TRAVEL,
                                "etcd is at %d, but %s"
                                        .formatted(truth().revision(), pending.read()))));
        waiting.clear();
    }

    public void note(Violation violation) {
        found.incrementAndGet();
        if (counts.merge(violation.promise(), 1, Integer::sum) <= MAX_VIOLATIONS) {
            violations.add(violation);
        }
    }

    public EpochHistory truth() {
        return model.current();
    }

    /** The first hundred of each promise. */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Their number, for any thread. */
    public int found() {
        return found.get();
    }

    /** Checked reads, for any thread. */
    public long judged() {
        return judged.get();
    }
}
