package io.tidemark.chaos.client;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import org.jspecify.annotations.Nullable;

/**
 * A GET of one object. Unlike a list's, its answer does not name the revision at which it was
 * given, only the object's version.
 *
 * @param item null for 404
 * @param atLeast what the answer must reflect: what etcd had acknowledged, or the requested
 *     revision
 */
public record RecordedGet(
        String client, Bytes key, RequestedFreshness ask, @Nullable Item item, long atLeast) {
    @Override
    public String toString() {
        return "GET of %s, %s, by %s: %s"
                .formatted(key, ask, client, item == null ? "nothing" : item);
    }
}
