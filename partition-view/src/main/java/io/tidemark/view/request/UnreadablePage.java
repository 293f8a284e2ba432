package io.tidemark.view.request;

import io.tidemark.record.Bytes;
import java.util.List;

/**
 * A page of keys that should hold a Kubernetes object and are unreadable, in key order.
 *
 * @param more whether others follow
 */
public record UnreadablePage(List<Unreadable> keys, boolean more) {
    public UnreadablePage {
        keys = List.copyOf(keys);
    }

    /**
     * An unreadable key.
     *
     * @param reason for humans; long ones are cut
     */
    public record Unreadable(Bytes key, String reason) {}
}
