package io.tidemark.etcd;

import java.util.List;

/**
 * The answer to a {@link RangeRequest}.
 *
 * @param more whether the limit cut it short
 * @param count keys in the whole range, regardless of the limit
 * @param currentRevision etcd's revision when it answered: the revision read at, unless an older
 *     one was requested
 * @param clusterId of the cluster that answered, unsigned
 */
public record RangePage(
        List<KeyValue> keyValues, boolean more, long count, long currentRevision, long clusterId) {
    public RangePage {
        keyValues = List.copyOf(keyValues);
        if (more && keyValues.isEmpty()) {
            throw new IllegalArgumentException("a page without keys, of %d".formatted(count));
        }
    }

    /** Number of keys in the range after the last of these. */
    public long remaining() {
        return more ? Math.max(1, count - keyValues.size()) : 0;
    }
}
