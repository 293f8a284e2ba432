package io.tidemark.bench.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens connections to a server for one workload. Those of HTTP/1.1 have a socket each. Those of
 * HTTP/2 are streams: a hundred share a socket, as the requests of a client do that uses one
 * configuration of client-go.
 */
public final class Connections implements AutoCloseable {
    /** What an API server allows each of its HTTP/2 connections. */
    private static final int STREAMS = 100;

    private final Target target;
    private final List<Http2Session> sessions = new ArrayList<>();
    private int streams;

    public Connections(Target target) {
        this.target = target;
    }

    /**
     * @param bufferBytes bytes that one read takes at most, of HTTP/1.1
     */
    public Connection open(int bufferBytes) throws IOException {
        return target.http2()
                ? sharedSession().newStream()
                : Http1Connection.open(target, bufferBytes, 0);
    }

    /**
     * Opens a connection that shares its socket with no other.
     *
     * @param bufferBytes bytes that one read takes at most, of HTTP/1.1
     * @param receiveBufferBytes bytes that the kernel holds for a client that does not read, about
     */
    public Connection openAlone(int bufferBytes, int receiveBufferBytes) throws IOException {
        if (!target.http2()) {
            return Http1Connection.open(target, bufferBytes, receiveBufferBytes);
        }
        Http2Session session = Http2Session.open(target, receiveBufferBytes);
        synchronized (this) {
            sessions.addFirst(session);
        }
        return session.newStream();
    }

    private synchronized Http2Session sharedSession() throws IOException {
        if (streams % STREAMS == 0) {
            sessions.addLast(Http2Session.open(target, 0));
        }
        streams++;
        return sessions.getLast();
    }

    /** Closes what HTTP/2 connections share; those of HTTP/1.1 are closed one by one. */
    @Override
    public synchronized void close() {
        sessions.forEach(Http2Session::close);
    }
}
