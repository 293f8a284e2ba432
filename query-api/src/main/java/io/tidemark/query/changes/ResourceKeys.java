package io.tidemark.query.changes;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds the resource that a key or a kind belongs to, in its preferred version. */
public final class ResourceKeys {
    private final Map<Bytes, Resource> byPrefix = new HashMap<>();
    private final Map<Kind, Resource> byKind = new HashMap<>();

    private record Kind(String group, String kind) {}

    public ResourceKeys(Catalog catalog) {
        // Preferred versions come first.
        for (Resource each : catalog.resources()) {
            byPrefix.putIfAbsent(each.keyPrefix(), each);
            byKind.putIfAbsent(new Kind(each.group(), each.kind()), each);
        }
    }

    /** The resource with the longest prefix of a key. */
    public Optional<Resource> of(Bytes key) {
        for (int end = key.length(); end > 0; end--) {
            if (key.at(end - 1) == '/') {
                Resource found = byPrefix.get(key.slice(0, end));
                if (found != null) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    /** The resource of a kind, such as an owner reference names it. */
    public Optional<Resource> of(String group, String kind) {
        return Optional.ofNullable(byKind.get(new Kind(group, kind)));
    }
}
