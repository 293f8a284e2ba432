package io.tidemark.local.etcd;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A start of etcd, which can take a minute. Closing it kills the child, which ends the start; a
 * shutdown that halts this JVM meanwhile would leave etcd running.
 */
public final class EtcdStart implements AutoCloseable {
    private @Nullable EtcdProcess launched;
    private boolean closed;

    /** Starts a child process. */
    @FunctionalInterface
    interface Launcher {
        EtcdProcess launch() throws IOException;
    }

    /** With the lock held, so that a child is either seen by {@link #close} or not started. */
    synchronized EtcdProcess launch(Launcher launcher) throws IOException {
        if (closed) {
            throw new IOException("the start of etcd was ended");
        }
        EtcdProcess etcd = launcher.launch();
        launched = etcd;
        return etcd;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (launched != null) {
            launched.abort();
        }
    }
}
