package io.tidemark.bench.load;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Counts failures and keeps the text of the first. Thread-safe. */
final class Failures {
    private final LongAdder count = new LongAdder();
    private final AtomicReference<String> first = new AtomicReference<>("");

    void add(String why) {
        count.increment();
        String line = why.replaceAll("\\s+", " ").strip();
        boolean _ = first.compareAndSet("", line.isEmpty() ? "(no message)" : line);
    }

    long count() {
        return count.sum();
    }

    String first() {
        return first.get();
    }
}
