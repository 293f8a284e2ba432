package io.tidemark.query.catalog;

import java.util.List;
import java.util.Optional;

/** All served resources at one moment: immutable, replaced as a whole when a definition changes. */
public interface Catalog {
    Optional<Resource> find(String group, String version, String plural);

    /** Sorted by group, then version as discovery prefers it, then plural. */
    List<Resource> resources();
}
