package io.tidemark.query.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the authenticator and a given authorizer take up changes every second, so that watches
 * without a right end also when no request comes.
 */
public final class AccessRefresh implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessRefresh.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final List<Runnable> tasks;
    private final Thread thread;

    private AccessRefresh(List<Runnable> tasks) {
        this.tasks = List.copyOf(tasks);
        this.thread = Thread.ofPlatform().name("access-refresh").daemon().unstarted(this::run);
    }

    /** Refreshes what the settings name. */
    public static AccessRefresh of(AccessSettings settings) {
        List<Runnable> tasks = new ArrayList<>();
        settings.authenticator().map(each -> (Runnable) each::refresh).ifPresent(tasks::add);
        if (settings.authorization() instanceof AccessSettings.Authorization.Given(var given)) {
            tasks.add(given::refresh);
        }
        return new AccessRefresh(tasks);
    }

    /** Begins, if there is anything to refresh. */
    public void start() {
        if (!tasks.isEmpty()) {
            thread.start();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                tasks.forEach(AccessRefresh::refresh);
            }
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    private static void refresh(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("cannot take up changes of credentials or rights; trying again", e);
        }
    }
}
