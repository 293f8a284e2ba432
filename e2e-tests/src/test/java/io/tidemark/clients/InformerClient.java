package io.tidemark.clients;

import java.util.Map;
import java.util.Set;

/** A client that follows views. */
interface InformerClient extends AutoCloseable {
    /** Its project's name for it, with its version. */
    String name();

    /** The views that it follows. */
    Set<WatchedView> views();

    /** Its content of a view now: resource versions by namespace and name. */
    Map<String, String> contents(WatchedView view) throws Exception;

    ClientErrors errors();

    /** Its counts so far. */
    Traffic traffic() throws Exception;

    /** The HTTP status that the client reports for a list of a namespace's config maps. */
    int statusOfList(String namespace) throws Exception;

    /** Called when the node is ready again, for clients that do not resume by themselves. */
    default void onNodeReady() throws Exception {}

    /**
     * What a client requested and got.
     *
     * @param lists requests for a whole collection
     * @param watches requests for changes
     * @param events delivered to its user
     */
    record Traffic(long lists, long watches, long events) {}
}
