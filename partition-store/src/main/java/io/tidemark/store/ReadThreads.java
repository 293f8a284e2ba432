package io.tidemark.store;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Runs reads on a few platform threads. A read in native code holds the thread that it runs on for
 * as long as the disk takes. On a virtual thread that is a carrier, and there are only as many of
 * those as cores: with each held by a read, no heartbeat, peer link or barrier would run. So
 * virtual threads wait here, which holds nothing.
 *
 * <p>Each {@link ReadExecutor.Kind} has threads of its own: a GET does not wait behind the pages of
 * lists.
 */
public final class ReadThreads implements ReadExecutor, AutoCloseable {
    private final Map<Kind, ReadPool> lanes = new EnumMap<>(Kind.class);

    /**
     * @param queueTimeout how long a read waits for a thread
     * @param pointTimeout how long a read of a key may take on top
     * @param pageTimeout how long a page may. A read that takes longer is given up and goes on
     *     alone; with all threads of its kind held by such reads, further ones are refused at once
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
     * Gives up waiting sooner than another node gives up asking this one, and than a client's
     * patience, so that there is time for another replica.
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

    /** Refuses further reads and those that wait; those that run end by themselves. */
    @Override
    public void close() {
        lanes.values().forEach(ReadPool::close);
    }
}
