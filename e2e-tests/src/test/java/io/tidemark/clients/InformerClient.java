package io.tidemark.clients;

import java.util.Map;
import java.util.Set;

/** A client that follows views. */
interface InformerClient extends AutoCloseable {
    /** As its makers call it, with its version. */
    String name();

    /** Those that it follows. */
    Set<WatchedView> views();

    /** What it holds of a view now: resource versions by namespace and name. */
    Map<String, String> contents(WatchedView view) throws Exception;

    ClientErrors errors();

    /** What it took so far. */
    Traffic traffic() throws Exception;

    /** Told when the node is ready again, for what does not go on by itself. */
    default void onNodeReady() throws Exception {}

    /**
     * What a client asked for and got.
     *
     * @param lists requests for a whole collection
     * @param watches requests for changes
     * @param events that its user was told of
     */
    record Traffic(long lists, long watches, long events) {}
}
