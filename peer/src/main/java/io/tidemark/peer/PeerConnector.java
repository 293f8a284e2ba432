package io.tidemark.peer;

import io.tidemark.peer.PeerTransport.StatesStream;
import io.tidemark.peer.link.PeerLink;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/** Connects a {@link PeerLink} to its node, again and again, and reads the frames. */
final class PeerConnector implements AutoCloseable {
    private final PeerTransport transport;
    private final PeerLink link;
    private final Thread thread;

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
                } catch (IOException | RuntimeException e) {
                    // Nothing else would connect again.
                    link.failed(e);
                }
                Thread.sleep(link.untilRetry(ThreadLocalRandom.current().nextDouble()));
            }
        } catch (InterruptedException _) {
            link.close();
        }
    }

    @Override
    public void close() {
        link.close();
        thread.interrupt();
    }
}
