package io.tidemark.http;

/**
 * The connections of a server, for metrics.
 *
 * @param open now
 * @param refused since the start, because a limit of connections or of their rate was reached
 * @param evicted idle ones closed since the start to admit others
 */
public record ConnectionCounts(int open, long refused, long evicted) {
    public static final ConnectionCounts NONE = new ConnectionCounts(0, 0, 0);

    ConnectionCounts andRefused(long more) {
        return new ConnectionCounts(open, refused + more, evicted);
    }
}
