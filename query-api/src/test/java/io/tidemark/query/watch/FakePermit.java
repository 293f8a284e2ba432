package io.tidemark.query.watch;

import io.tidemark.query.access.Permit;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A permit whose rules the test changes, with a clock, timers and judges that it steps. */
final class FakePermit implements Permit, WatchPermit.Watch {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final List<StatusException> refused = new ArrayList<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private final Map<Runnable, Long> waiting = new LinkedHashMap<>();
    private final Map<Runnable, Long> timers = new LinkedHashMap<>();
    private final Deque<Runnable> judgements = new ArrayDeque<>();
    private long now = -5; // A clock may begin anywhere.
    private long through;
    private int version;
    private int judged;
    private @Nullable StatusException failure;
    private Instant until = Instant.MAX;
    int signals;
    boolean writing;
    int aborts;
    int judgementsMade;

    WatchPermit.Ports ports() {
        return new WatchPermit.Ports(
                () -> now,
                () -> START.plusNanos(now),
                judgements::add,
                (nanos, task) -> {
                    Runnable unique = () -> task.run();
                    timers.put(unique, nanos);
                    return () -> timers.remove(unique);
                });
    }

    static StatusException status(int code) {
        return new StatusException(new FailureStatus(code, "Reason", "message"));
    }

    /** The rules are known as of a revision, without a change. */
    void knowThrough(long revision) {
        through = revision;
        List<Runnable> ready =
                waiting.entrySet().stream()
                        .filter(entry -> entry.getValue() <= revision)
                        .map(Map.Entry::getKey)
                        .toList();
        ready.forEach(waiting::remove);
        ready.forEach(Runnable::run);
    }

    /** The rules change; a judgement by them has this outcome. */
    void change(long revision, @Nullable StatusException outcome) {
        failure = outcome;
        version++;
        List.copyOf(listeners).forEach(Runnable::run);
        knowThrough(revision);
    }

    void expireAt(Duration fromNow) {
        until = START.plusNanos(now).plus(fromNow);
    }

    void answer(@Nullable StatusException outcome) {
        failure = outcome;
    }

    /** Runs all judgements that are due. */
    void judge() {
        for (Runnable next = judgements.poll(); next != null; next = judgements.poll()) {
            next.run();
        }
    }

    boolean hasJudgement() {
        return !judgements.isEmpty();
    }

    /** Lets time pass, with its timers. */
    void pass(Duration time) {
        long end = now + time.toNanos();
        while (true) {
            Map.Entry<Runnable, Long> next =
                    timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElse(null);
            if (next == null || next.getValue() - end > 0) {
                break;
            }
            timers.remove(next.getKey());
            now = Math.max(now, next.getValue());
            next.getKey().run();
        }
        now = end;
    }

    long now() {
        return now;
    }

    int left() {
        return listeners.size() + waiting.size() + timers.size();
    }

    int waiting() {
        return waiting.size();
    }

    @Override
    public boolean covers(long epoch, long revision) {
        return revision <= through;
    }

    @Override
    public boolean isCurrent() {
        return judged == version && START.plusNanos(now).isBefore(until);
    }

    @Override
    public void require() {
        if (isCurrent()) {
            return;
        }
        judgementsMade++;
        int by = version;
        if (failure != null) {
            throw failure;
        }
        judged = by;
    }

    @Override
    public Instant until() {
        return until;
    }

    @Override
    public Runnable onceCovered(long epoch, long revision, Runnable task) {
        if (covers(epoch, revision)) {
            task.run();
            return () -> {};
        }
        Runnable unique = () -> task.run();
        waiting.put(unique, revision);
        return () -> waiting.remove(unique);
    }

    @Override
    public Runnable onChange(Runnable listener) {
        Runnable unique = () -> listener.run();
        listeners.add(unique);
        return () -> listeners.remove(unique);
    }

    @Override
    public void signal() {
        signals++;
    }

    @Override
    public void refused(StatusException why) {
        refused.add(why);
    }

    @Override
    public boolean isWriting() {
        return writing;
    }

    @Override
    public void abort() {
        aborts++;
    }
}
