package io.tidemark.view.request;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.util.List;
import java.util.Optional;

/**
 * A page of objects in key order.
 *
 * @param nextKey start of the next page; empty at the end of the range. A page may be empty and
 *     still have a next one, because a scan also stops after a bounded number of keys
 * @param keysScanned how many keys the scan visited, at least the objects
 * @param index the index that was used, such as {@code f:spec.nodeName} or {@code labels}; empty
 *     when the scan visited every key of the range
 */
public record ScanPage(
        List<StoredObject> objects, Optional<Bytes> nextKey, int keysScanned, String index) {
    /** From a scan of the whole range. */
    public ScanPage(List<StoredObject> objects, Optional<Bytes> nextKey) {
        this(objects, nextKey, objects.size(), "");
    }
}
