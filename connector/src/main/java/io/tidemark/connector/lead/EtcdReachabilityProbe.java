package io.tidemark.connector.lead;

import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks etcd once a second where it is, whether this connector leads or not. A question of its own,
 * since a watch may be silent for many reasons, and who stands by has none. It also sees to it that
 * whoever takes over has the connection, and its code, at hand.
 */
public final class EtcdReachabilityProbe implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdReachabilityProbe.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final EtcdSource source;
    private final EtcdReachability reach = new EtcdReachability();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /**
     * @param source stays its owner's
     */
    public EtcdReachabilityProbe(EtcdSource source) {
        this.source = source;
        thread = Thread.ofVirtual().name("tidemark-reach").unstarted(this::run);
    }

    /** Begins to ask; returns at once. */
    public void start() {
        thread.start();
    }

    /** For how long etcd has been asked in vain; hardly anything while it answers. */
    Duration unreachableFor() {
        return reach.unreachableFor(System.nanoTime());
    }

    private void run() {
        try {
            do {
                ask();
            } while (!closing.await(EVERY.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    private void ask() {
        reach.asked(System.nanoTime());
        try {
            EtcdSource.Newest _ = source.newest();
            reach.answered();
        } catch (EtcdException e) {
            LOG.debug("etcd does not answer", e);
        }
    }

    /** Asks no more; returns at once. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
    }
}
