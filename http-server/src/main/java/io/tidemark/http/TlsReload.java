package io.tidemark.http;

import io.tidemark.credentials.ServerTls;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uses changed certificates for new connections, within seconds. Established connections keep the
 * certificate with which they began.
 */
final class TlsReload extends AbstractLifeCycle {
    private static final Logger LOG = LoggerFactory.getLogger(TlsReload.class);
    private static final long INTERVAL_MILLIS = 2_000;

    private final Connector connector;
    private final SslContextFactory.Server contexts;
    private final ServerTls tls;

    TlsReload(Connector connector, SslContextFactory.Server contexts, ServerTls tls) {
        this.connector = connector;
        this.contexts = contexts;
        this.tls = tls;
    }

    @Override
    protected void doStart() {
        scheduleNext();
    }

    private void scheduleNext() {
        Scheduler.Task _ =
                connector
                        .getScheduler()
                        .schedule(this::check, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void check() {
        if (isStopping() || isStopped()) {
            return;
        }
        connector.getExecutor().execute(this::reload); // It reads files.
    }

    private void reload() {
        try {
            SSLContext newest = tls.context();
            if (newest != contexts.getSslContext()) {
                contexts.reload(factory -> factory.setSslContext(newest));
            }
        } catch (Exception e) {
            LOG.error("changed certificates cannot be used; new connections get the old ones", e);
        } finally {
            scheduleNext();
        }
    }
}
