package io.tidemark.connector.lead;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.etcd.connection.EtcdException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes etcd once a second, whether this connector leads or not. A separate probe is needed since
 * a watch may be silent for many reasons, and a standby has none. It also keeps the connection
 * open, and its code warm, for a takeover.
 */
public final class EtcdReachabilityProbe implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdReachabilityProbe.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final EtcdSource source;
    private final EtcdReachability reachability = new EtcdReachability();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /**
     * @param source stays owned by the caller
     */
    public EtcdReachabilityProbe(EtcdSource source) {
        this.source = source;
        thread = Thread.ofVirtual().name("tidemark-reach").unstarted(this::run);
    }

    /** Starts to probe; returns at once. */
    public void start() {
        thread.start();
    }

    /** For how long etcd has not answered; close to zero while it answers. */
    Duration unreachableFor() {
        return reachability.unreachableFor(System.nanoTime());
    }

    private void run() {
        try {
            do {
                ask();
            } while (!closing.await(INTERVAL.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    private void ask() {
        reachability.asked(System.nanoTime());
        try {
            EtcdSource.Newest _ = source.newest();
            reachability.answered();
        } catch (EtcdException e) {
            LOG.debug("etcd does not answer", e);
        } catch (RuntimeException e) {
            // The thread must survive a bug: without it this connector would count etcd as
            // unreachable until its process ends. The message may hold anything, such as a secret.
            LOG.warn(
                    "probing etcd failed with {}, a bug; it counts as no answer",
                    e.getClass().getName());
        }
    }

    /** Stops probing; returns at once. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
    }
}
