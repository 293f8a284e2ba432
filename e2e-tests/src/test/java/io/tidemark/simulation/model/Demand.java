package io.tidemark.simulation.model;

/** One right that a request needs. */
public sealed interface Demand {
    /** A path of the server, as under {@code /kv}; with a star at its end, all paths before it. */
    record OfPath(String verb, String path) implements Demand {}

    /**
     * Objects.
     *
     * @param resource such as {@code pods}; a star for every resource of every group
     * @param namespace empty for all, or for objects of the cluster
     * @param name empty for any number of them
     */
    record OfObjects(String verb, String resource, String namespace, String name)
            implements Demand {}
}
