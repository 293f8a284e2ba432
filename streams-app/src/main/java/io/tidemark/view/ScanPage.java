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
 */
public record ScanPage(List<StoredObject> objects, Optional<Bytes> nextKey) {}
