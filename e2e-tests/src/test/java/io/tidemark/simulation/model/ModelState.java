package io.tidemark.simulation.model;

/** One revision of one of etcd's histories. */
public record ModelState(long history, long revision) {
    @Override
    public String toString() {
        return revision + " of history " + history;
    }
}
