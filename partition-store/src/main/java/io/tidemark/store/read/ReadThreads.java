package io.tidemark.store.read;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Runs reads on a few platform threads. A read in native code holds its thread for as long as the
 * disk takes. On a virtual thread that is a carrier, and there are only as many carriers as cores:
 * with each held by a read, no heartbeat, peer link or barrier would run. So virtual threads wait
 * here, which holds no carrier.
 *
 * <p>Each {@link ReadExecutor.Kind} has separate threads: a GET does not wait behind list pages.
 */
public final class ReadThreads implements ReadExecutor, AutoCloseable {
    private final Map<Kind, ReadPool> lanes = new EnumMap<>(Kind.class);

    /**
     * @param queueTimeout how long a read waits for a thread
     * @param pointTimeout how long a read of a key may take after that
     * @param pageTimeout how long a page may take. A read that takes longer is abandoned, and
     *     continues; when such reads hold all threads of a kind, further ones are refused at once
     */
    public ReadThreads(Duration queueTimeout, Duration pointTimeout, Duration pageTimeout) {
        for (Kind kind : Kind.values()) {
            lanes.put(
                    kind,
                    new ReadPool(
                            kind.name().toLowerCase(Locale.ROOT),
                            threads(kind),
                            queueTimeout,
                            kind == Kind.POINT ? pointTimeout : pageTimeout));
        }
    }

    static int threads(Kind kind) {
        int cores = Runtime.getRuntime().availableProcessors();
        return switch (kind) {
            case POINT, CHANGES -> Math.max(4, cores);
            case SCAN -> Math.max(2, cores);
            case CHECK -> 1;
        };
    }

    /**
     * With timeouts shorter than those of other nodes and of clients, so that there is time to ask
     * another replica.
     */
    public static ReadThreads start() {
        return new ReadThreads(
                Duration.ofMillis(1_500), Duration.ofMillis(500), Duration.ofMillis(8_500));
    }

    @Override
    public <T> T pass(Kind kind, Supplier<T> read) throws BusyException {
        ReadPool lane = lanes.get(kind);
        if (lane == null) {
            throw new IllegalArgumentException("no such kind: " + kind);
        }
        return lane.pass(read);
    }

    /** Refuses further and queued reads; running ones end by themselves. */
    @Override
    public void close() {
        lanes.values().forEach(ReadPool::close);
    }
}
