package io.tidemark.query.catalog;

import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Optional;

/** All served resources at one moment: immutable, replaced as a whole when a definition changes. */
public interface Catalog {
    Optional<Resource> find(String group, String version, String plural);

    /** The resource with the longest prefix of a key, in its preferred version. */
    Optional<Resource> ofKey(Bytes key);

    /** The resource of a kind, such as an owner reference names it, in its preferred version. */
    Optional<Resource> ofKind(String group, String kind);

    /** Whether it serves a built-in kind of this group, stored or not. */
    boolean servesBuiltIn(String group);

    /** Sorted by group, then version as discovery prefers it, then plural. */
    List<Resource> resources();
}
