package io.tidemark.query.catalog;

import io.tidemark.view.object.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Where a node has its catalogue from. Thread-safe. */
public interface CatalogSource {
    /** The current catalogue; contains at least the built-in resources. */
    Catalog current();

    /**
     * The catalogue with other definitions, such as those of the past.
     *
     * @param definitions CustomResourceDefinitions as they are stored
     */
    Catalog with(List<StoredObject> definitions);

    /** Whether the definitions have been read once. Before that, an unknown resource may exist. */
    boolean ready();

    /** Whether {@link #current} includes every definition through a revision. */
    boolean covers(long revision);

    /**
     * Waits until {@link #current} includes every definition through a revision of an epoch. Does
     * not wait where there are more definitions than a node reads.
     *
     * @return false when that took longer than {@code patience}
     */
    boolean await(long epoch, long revision, Duration patience) throws InterruptedException;

    /** Always the supplier's catalogue. */
    static CatalogSource of(Supplier<Catalog> catalog) {
        return new CatalogSource() {
            @Override
            public Catalog current() {
                return catalog.get();
            }

            @Override
            public Catalog with(List<StoredObject> definitions) {
                return catalog.get();
            }

            @Override
            public boolean ready() {
                return true;
            }

            @Override
            public boolean covers(long revision) {
                return true;
            }

            @Override
            public boolean await(long epoch, long revision, Duration patience) {
                return true;
            }
        };
    }
}
