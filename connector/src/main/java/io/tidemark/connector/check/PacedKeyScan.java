package io.tidemark.connector.check;

import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdKeyValue;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdSource.Page;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Reads keys and revisions from etcd, at one revision, page by page, and rests between the pages so
 * that nobody else waits for it.
 */
final class PacedKeyScan {
    private static final int PAGE = 5_000;
    private static final int SMALLEST_PAGE = 50;

    /** So much longer it rests than it has kept etcd busy. */
    private static final int REST = 4;

    /**
     * What a key costs etcd at most, value and all. A page that took longer has waited for others.
     */
    private static final long NANOS_PER_KEY = 5_000;

    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private final EtcdSource source;
    private final MirroredKeys keys;
    private final long revision;
    private int limit = PAGE;
    private long busyNanos;

    PacedKeyScan(EtcdSource source, MirroredKeys keys, long revision) {
        this.source = source;
        this.keys = keys;
        this.revision = revision;
    }

    /** Takes keys in order. */
    @FunctionalInterface
    interface Sink<X extends Exception> {
        /** Whether more are wanted. */
        boolean take(KeyRevision key) throws X;
    }

    /** All keys that the mirror holds, from one on. */
    <X extends Exception> void read(Bytes fromInclusive, Sink<X> sink)
            throws EtcdException, InterruptedException, X {
        Bytes from = fromInclusive;
        while (true) {
            long began = System.nanoTime();
            Page page = page(from);
            for (EtcdKeyValue each : page.keyValues()) {
                if (keys.isStored(each.key())
                        && !sink.take(new KeyRevision(each.key(), each.modRevision()))) {
                    return;
                }
            }
            long took = System.nanoTime() - began;
            busyNanos += Math.min(took, page.keyValues().size() * NANOS_PER_KEY);
            if (!page.more()) {
                return;
            }
            from = page.keyValues().getLast().key().successor();
            TimeUnit.NANOSECONDS.sleep(restNanos(took));
        }
    }

    /** How long to rest after a page that took so long. */
    static long restNanos(long took) {
        return Math.min(took * REST, LONGEST_REST.toNanos());
    }

    /** One page, from a key on; smaller than usual when its keys are large. */
    Page page(Bytes from) throws EtcdException {
        while (true) {
            try {
                return source.listKeys(from, revision, limit);
            } catch (EtcdException.PageTooLarge e) {
                if (limit <= SMALLEST_PAGE) {
                    throw e;
                }
                limit = Math.max(SMALLEST_PAGE, limit / 4);
            }
        }
    }

    /** How long etcd was busy with it, about. */
    Duration busy() {
        return Duration.ofNanos(busyNanos);
    }
}
