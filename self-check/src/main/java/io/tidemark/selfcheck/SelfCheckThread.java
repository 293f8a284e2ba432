package io.tidemark.selfcheck;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a {@link SelfCheck} in the background. */
public final class SelfCheckThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SelfCheckThread.class);
    private static final Duration END = Duration.ofSeconds(5);

    private final SelfCheck check;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("tidemark-self-check").daemon().unstarted(this::run);

    /** The parameters of {@link SelfCheck}. */
    public SelfCheckThread(OpenReplicas copies, EtcdDigestSource source, Duration interval) {
        this.check = new SelfCheck(copies, source, interval, new Machine());
    }

    public void start() {
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.start();
    }

    /** The current state; cheap. */
    public CheckReport report() {
        return check.report();
    }

    private void run() {
        try {
            check.run();
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            if (thread.isAlive() && !thread.join(END)) {
                LOG.warn("the self-check has not ended within {}", END);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Machine implements CheckRuntime {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public long workedNanos() {
            return threads.isCurrentThreadCpuTimeSupported()
                    ? threads.getCurrentThreadCpuTime()
                    : System.nanoTime();
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            if (closing.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new InterruptedException("closing");
            }
        }
    }
}
