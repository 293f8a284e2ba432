package io.tidemark.peer;

import io.tidemark.peer.PeerTransport.StatesStream;
import io.tidemark.peer.link.PeerLink;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects a {@link PeerLink} to its node, again and again, and reads the frames. */
final class PeerConnector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerConnector.class);

    private final PeerTransport transport;
    private final PeerLink link;
    private final Thread thread;

    /** The last bug, so that one that comes with each frame is logged once. */
    private String reported = "";

    PeerConnector(PeerTransport transport, PeerLink link) {
        this.transport = transport;
        this.link = link;
        this.thread =
                Thread.ofVirtual()
                        .name("peer-" + transport.address().hostPort())
                        .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    PeerTransport transport() {
        return transport;
    }

    PeerLink link() {
        return link;
    }

    private void run() {
        try {
            while (!link.isClosed()) {
                try {
                    StatesStream stream = transport.states();
                    link.connected(stream);
                    while (link.isOpen(stream)) {
                        link.received(stream, stream.next());
                    }
                } catch (IOException e) {
                    link.failed(e);
                } catch (RuntimeException e) {
                    // Nothing else would connect again.
                    report(e);
                    link.failed(e);
                }
                Thread.sleep(link.untilRetry(ThreadLocalRandom.current().nextDouble()));
            }
        } catch (InterruptedException _) {
            link.close();
        }
    }

    private void report(RuntimeException bug) {
        if (!bug.toString().equals(reported)) {
            reported = bug.toString();
            LOG.error("a bug: reading node {} failed", transport.address().hostPort(), bug);
        }
    }

    @Override
    public void close() {
        link.close();
        thread.interrupt();
    }
}
