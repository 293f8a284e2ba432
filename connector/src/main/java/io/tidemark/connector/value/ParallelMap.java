package io.tidemark.connector.value;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Maps a list on a few cores when that pays off, keeping the order. Thread-safe; concurrent callers
 * share the same workers.
 */
public final class ParallelMap implements AutoCloseable {
    /** Below this, dispatching work costs more than it saves. */
    private static final long SHARE_BYTES = 128 * 1024;

    private final int workers;
    private final ExecutorService executor;

    /**
     * @param workers most threads that work at once, at least 1; with 1, the caller's thread does
     *     all
     */
    public ParallelMap(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException("workers: " + workers);
        }
        this.workers = workers;
        this.executor =
                Executors.newFixedThreadPool(
                        workers,
                        Thread.ofPlatform().daemon().name("tidemark-values-", 0).factory());
    }

    public <T, R> List<R> map(List<T> items, ToLongFunction<T> size, Function<T, R> function) {
        List<List<T>> shares = workers == 1 ? List.of(items) : shares(items, size);
        if (shares.size() <= 1) {
            return items.stream().map(function).toList();
        }
        List<Future<List<R>>> results = new ArrayList<>(shares.size());
        for (List<T> share : shares) {
            results.add(executor.submit(() -> share.stream().map(function).toList()));
        }
        List<R> all = new ArrayList<>(items.size());
        for (Future<List<R>> result : results) {
            all.addAll(join(result));
        }
        return all;
    }

    private static <T> List<List<T>> shares(List<T> items, ToLongFunction<T> size) {
        List<List<T>> shares = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < items.size(); i++) {
            bytes += size.applyAsLong(items.get(i));
            if (bytes >= SHARE_BYTES) {
                shares.add(items.subList(from, i + 1));
                from = i + 1;
                bytes = 0;
            }
        }
        if (from < items.size()) {
            shares.add(items.subList(from, items.size()));
        }
        return shares;
    }

    private static <R> R join(Future<R> result) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException _) {
                    // The work is short and bounded; the interruption is for callers that wait for
                    // I/O.
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
