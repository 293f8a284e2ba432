package io.tidemark.bench.load;

import io.tidemark.bench.http.Connection;
import io.tidemark.bench.http.Connections;
import io.tidemark.bench.http.Request;
import java.io.IOException;

/** An open watch whose client never reads: the server's writes to it come to a halt. */
record StalledWatch(Connection connection) implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 10;

    /** Small, so that the kernel soon takes no more. */
    private static final int RECEIVE_BUFFER_BYTES = 4 << 10;

    /**
     * Returns once the server has accepted the watch.
     *
     * @throws IOException when it has not
     */
    static StalledWatch open(Connections connections, Request request) throws IOException {
        Connection connection = connections.openAlone(BUFFER_BYTES, RECEIVE_BUFFER_BYTES);
        try {
            if (!connection.send(request).isOk()) {
                throw new IOException("a watch was refused");
            }
        } catch (IOException e) {
            connection.close();
            throw e;
        }
        return new StalledWatch(connection);
    }

    @Override
    public void close() {
        connection.close();
    }
}
