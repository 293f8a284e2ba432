package io.tidemark.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs calls at the same time. */
public final class Together {
    private Together() {}

    /** What is done with one input. */
    public interface Call<I, O> {
        O apply(I input) throws Exception;
    }

    /**
     * One result for each input, in order.
     *
     * @param atOnce as many calls at a time at most
     * @throws ExecutionException when a call failed, after all have ended
     */
    public static <I, O> List<O> map(int atOnce, Iterable<I> inputs, Call<I, O> call)
            throws ExecutionException, InterruptedException {
        try (ExecutorService workers =
                Executors.newFixedThreadPool(atOnce, Thread.ofVirtual().factory())) {
            List<Future<O>> pending = new ArrayList<>();
            for (I input : inputs) {
                pending.add(workers.submit(() -> call.apply(input)));
            }
            List<O> results = new ArrayList<>();
            for (Future<O> each : pending) {
                results.add(each.get());
            }
            return results;
        }
    }
}
