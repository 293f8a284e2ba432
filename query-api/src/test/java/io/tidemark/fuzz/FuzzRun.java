package io.tidemark.fuzz;

import io.tidemark.query.http.exchange.ServingTimes;
import io.tidemark.query.watch.WatchPermit;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests of consecutive seeds from many clients, while the tenants' objects change. */
final class FuzzRun {
    private static final Logger LOG = LoggerFactory.getLogger(FuzzRun.class);

    /** Short waits: many requests ask for a state to come. */
    static final ServingTimes TIMES =
            new ServingTimes(
                    Duration.ofMillis(100),
                    Duration.ofMillis(50),
                    Duration.ofMillis(20),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(1),
                    Duration.ZERO,
                    Duration.ZERO,
                    WatchPermit.GRACE);

    /** So many that each kind of answer is among them; a busy machine takes longer for them. */
    private static final long FEWEST = 1_000;

    private static final long FEWEST_SECONDS = 90;
    private static final int CLIENTS = 32;

    /** Far above the node's longest wait, also on a busy machine. */
    private static final int PATIENCE_MILLIS = 20_000;

    /** Requests between two lines of progress. */
    private static final long PROGRESS = 50_000;

    private final URI url;
    private final Tenants tenants;
    private final LongFunction<FuzzRequest> grammar;
    private final Tally tally;

    /**
     * @param grammar makes the request of a seed
     */
    FuzzRun(URI url, Tenants tenants, LongFunction<FuzzRequest> grammar, Tally tally) {
        this.url = url;
        this.tenants = tenants;
        this.grammar = grammar;
        this.tally = tally;
    }

    /** Up to a number or a time, but not too few. */
    void send(long firstSeed, long requests, long seconds) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.execute(() -> {
                    try (FuzzClient client =
                            new FuzzClient(url.getHost(), url.getPort(), PATIENCE_MILLIS, tally)) {
                        for (long n = next.getAndIncrement();
                                n < requests && !over.get();
                                n = next.getAndIncrement()) {
                            client.send(grammar.apply(firstSeed + n));
                            if (n > 0 && n % PROGRESS == 0) {
                                LOG.info("{} of {} requests", n, requests);
                            }
                            if (n % 1000 == 0) {
                                tenants.change(Tenants.NAMES.get((int) (n / 1000 % 5)));
                            }
                        }
                    }
                });
            }
            clients.shutdown();
            boolean ended = clients.awaitTermination(seconds, TimeUnit.SECONDS);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FEWEST_SECONDS);
            while (!ended && next.get() < FEWEST && System.nanoTime() < end) {
                ended = clients.awaitTermination(50, TimeUnit.MILLISECONDS);
            }
            over.set(true);
        }
    }
}
