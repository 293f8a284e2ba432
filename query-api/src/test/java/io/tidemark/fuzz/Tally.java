package io.tidemark.fuzz;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the outcomes of all requests. */
final class Tally {
    private static final Logger LOG = LoggerFactory.getLogger(Tally.class);
    private static final int MAX_FAULTS = 50;

    private final BiConsumer<FuzzRequest, ParsedResponse> listener;
    private final Map<String, LongAdder> answers = new ConcurrentSkipListMap<>();
    private final LongAdder requests = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final AtomicLong slowestNanos = new AtomicLong();
    private final AtomicInteger faultCount = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

    Tally() {
        this((_, _) -> {});
    }

    /**
     * @param listener receives each answer, on any thread
     */
    Tally(BiConsumer<FuzzRequest, ParsedResponse> listener) {
        this.listener = listener;
    }

    void sent(long nanos) {
        requests.increment();
        slowestNanos.accumulateAndGet(nanos, Math::max);
    }

    void answered(FuzzRequest request, ParsedResponse answer) {
        String kind =
                ResponseRules.isWait(answer, request.head())
                        ? "504 after a wait"
                        : Integer.toString(answer.status());
        answers.computeIfAbsent(kind, _ -> new LongAdder()).increment();
        listener.accept(request, answer);
    }

    /** A connection that was closed without an answer. */
    void unanswered() {
        unanswered.increment();
    }

    void fault(FuzzRequest request, String what) {
        if (faultCount.getAndIncrement() < MAX_FAULTS) {
            String fault = what + "\n--- asked by " + request;
            LOG.warn("{}", fault);
            faults.add(fault);
        }
    }

    /** The first faults. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    long answersOf(String kind) {
        LongAdder count = answers.get(kind);
        return count == null ? 0 : count.sum();
    }

    @Override
    public String toString() {
        return "%d requests, answers %s, %d closed without one, slowest %d ms, %d faults"
                .formatted(
                        requests.sum(),
                        answers,
                        unanswered.sum(),
                        slowestNanos.get() / 1_000_000,
                        faultCount.get());
    }
}
