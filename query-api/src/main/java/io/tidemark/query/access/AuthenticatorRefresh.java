package io.tidemark.query.access;

import io.tidemark.authentication.Authenticator;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an authenticator take up changes every second, so that watches of ended credentials end also
 * when no request comes.
 */
public final class AuthenticatorRefresh implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuthenticatorRefresh.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Authenticator authenticator;
    private final Thread thread;

    public AuthenticatorRefresh(Authenticator authenticator) {
        this.authenticator = authenticator;
        this.thread =
                Thread.ofPlatform().name("authenticator-refresh").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                refresh();
            }
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    private void refresh() {
        try {
            authenticator.refresh();
        } catch (RuntimeException e) {
            LOG.warn("cannot take up changes of credentials; trying again", e);
        }
    }
}
