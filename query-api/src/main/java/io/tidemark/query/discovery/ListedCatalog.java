package io.tidemark.query.discovery;

import io.tidemark.query.catalog.Catalog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** What discovery derives from one catalogue. Thread-safe. */
final class ListedCatalog {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private final Groups groups;
    private final Map<String, HashedVersion> versions = new ConcurrentHashMap<>();

    /** The key of a document of a catalogue, which does not keep the catalogue in memory. */
    record Key(long catalog, String document) {}

    /** A version and the hash of its definitions. */
    record HashedVersion(DefinedVersion version, String hash) {}

    ListedCatalog(Catalog catalog) {
        this.groups = Groups.of(catalog);
    }

    Groups groups() {
        return groups;
    }

    Key key(String document) {
        return new Key(number, document);
    }

    /** The version with its hash, which is computed once. */
    HashedVersion hashed(Groups.Version version, Function<DefinedVersion, String> hash) {
        return versions.computeIfAbsent(
                version.groupVersion(),
                _ -> {
                    DefinedVersion defined = new DefinedVersion(version);
                    return new HashedVersion(defined, hash.apply(defined));
                });
    }
}
