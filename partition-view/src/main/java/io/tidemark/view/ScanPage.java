package io.tidemark.view;

import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * A page of objects in key order.
 *
 * @param nextKey where the next page starts; empty when the range is at its end. A page may be
 *     empty and still have a next one: a scan also stops after looking at a bounded number of
 *     objects.
 * @param keysScanned how many keys were looked at for it, at least the objects
 * @param index which index named the keys, such as {@code f:spec.nodeName} or {@code l:app}; empty
 *     when every key of the range was looked at
 */
public record ScanPage(
        List<StoredObject> objects, Optional<Bytes> nextKey, int keysScanned, String index) {
    /** Of a range that was looked at as a whole. */
    public ScanPage(List<StoredObject> objects, Optional<Bytes> nextKey) {
        this(objects, nextKey, objects.size(), "");
    }
}
