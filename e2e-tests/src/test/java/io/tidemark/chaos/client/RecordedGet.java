package io.tidemark.chaos.client;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.promise.Item;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import org.jspecify.annotations.Nullable;

/**
 * A GET of one object. Unlike a list it does not say at which revision it was answered, only which
 * version of the object that was.
 *
 * @param item null for 404
 * @param atLeast what the answer must reflect: what etcd had acknowledged, or what was asked for
 */
public record RecordedGet(
        String client, Bytes key, RequestedFreshness ask, @Nullable Item item, long atLeast) {
    @Override
    public String toString() {
        return "GET of %s, %s, by %s: %s"
                .formatted(key, ask, client, item == null ? "nothing" : item);
    }
}
