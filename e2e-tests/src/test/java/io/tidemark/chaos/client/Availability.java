package io.tidemark.chaos.client;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** How many requests were answered at the first attempt, at their one retry, or not at all. */
public final class Availability {
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong slowestMillis = new AtomicLong();
    private final Map<String, Long> reasons = new ConcurrentHashMap<>();

    /**
     * The counts at one moment.
     *
     * @param retried whose first attempt failed
     * @param failed those of them whose second attempt failed as well
     */
    public record Counts(long requests, long retried, long failed) {
        /** The difference to {@code before}. */
        public Counts since(Counts before) {
            return new Counts(
                    requests - before.requests, retried - before.retried, failed - before.failed);
        }

        public double withoutRetry() {
            return requests == 0 ? 1 : 1 - (double) retried / requests;
        }

        public double withRetry() {
            return requests == 0 ? 1 : 1 - (double) failed / requests;
        }
    }

    void answered(boolean atOnce, long millis) {
        requests.incrementAndGet();
        if (!atOnce) {
            retried.incrementAndGet();
        }
        slowestMillis.accumulateAndGet(millis, Math::max);
    }

    /**
     * @param why both attempts failed; one of few texts
     */
    void failed(String why) {
        reasons.merge(why, 1L, Long::sum);
        requests.incrementAndGet();
        retried.incrementAndGet();
        failed.incrementAndGet();
    }

    /** How often requests failed for which reason. */
    public Map<String, Long> reasons() {
        return new TreeMap<>(reasons);
    }

    public Counts counts() {
        return new Counts(requests.get(), retried.get(), failed.get());
    }

    /** The share of requests that were answered, retries included. */
    public long slowestMillis() {
        return slowestMillis.get();
    }
}
