package io.tidemark.connector.check;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.digest.KeyRevision;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.time.Duration;

/**
 * Reads keys and revisions from etcd, at one revision, page by page, and rests between pages so
 * that other clients of etcd are not delayed.
 */
final class PacedKeyScan {
    private static final int PAGE = 5_000;
    private static final int MIN_PAGE = 50;

    /** The rest after a page is this many times the page's duration. */
    private static final int REST_FACTOR = 4;

    /**
     * What a key costs etcd at most, value included. A page that took longer has waited for others.
     */
    private static final long NANOS_PER_KEY = 5_000;

    private static final Duration MAX_REST = Duration.ofSeconds(1);

    private final EtcdSource source;
    private final MirroredKeys keys;
    private final long revision;
    private final ScanRuntime runtime;
    private int limit = PAGE;
    private long busyNanos;

    PacedKeyScan(EtcdSource source, MirroredKeys keys, long revision, ScanRuntime runtime) {
        this.runtime = runtime;
        this.source = source;
        this.keys = keys;
        this.revision = revision;
    }

    /** Receives keys in order. */
    @FunctionalInterface
    interface Sink<X extends Exception> {
        /** Returns whether to continue. */
        boolean take(KeyRevision key) throws X;
    }

    /** Scans all mirrored keys, from a key on. */
    <X extends Exception> void read(Bytes fromInclusive, Sink<X> sink)
            throws InterruptedException, X {
        Bytes from = fromInclusive;
        while (true) {
            long began = runtime.nanoTime();
            RangePage page = page(from);
            for (KeyValue each : page.keyValues()) {
                if (keys.isStored(each.key())
                        && !sink.take(new KeyRevision(each.key(), each.modRevision()))) {
                    return;
                }
            }
            long took = runtime.nanoTime() - began;
            busyNanos += Math.min(took, page.keyValues().size() * NANOS_PER_KEY);
            if (!page.more()) {
                return;
            }
            from = page.keyValues().getLast().key().successor();
            // The pace: leaves etcd to its other clients.
            runtime.pause(Duration.ofNanos(restNanos(took)));
        }
    }

    /** How long to rest after a page that took so long. */
    static long restNanos(long took) {
        return Math.min(took * REST_FACTOR, MAX_REST.toNanos());
    }

    /** One page, from a key on; smaller than usual when its values are large. */
    RangePage page(Bytes from) {
        while (true) {
            try {
                return source.listKeys(from, revision, limit);
            } catch (EtcdException e) {
                if (e.kind() != EtcdException.Kind.TOO_LARGE || limit <= MIN_PAGE) {
                    throw e;
                }
                limit = Math.max(MIN_PAGE, limit / 4);
            }
        }
    }

    /** Approximate time that etcd was busy with the scan. */
    Duration busy() {
        return Duration.ofNanos(busyNanos);
    }
}
