package io.tidemark.view;

import io.tidemark.record.Bytes;
import java.util.List;

/**
 * Keys that hold what should be a Kubernetes object and cannot be read, in key order.
 *
 * @param more whether there are others beyond these
 */
public record UnreadablePage(List<Unreadable> keys, boolean more) {
    public UnreadablePage {
        keys = List.copyOf(keys);
    }

    /**
     * One of them.
     *
     * @param reason why, as text for people; long ones are cut
     */
    public record Unreadable(Bytes key, String reason) {}
}
