package io.tidemark.query.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A catalogue that never changes. */
public final class FixedCatalog implements Catalog {
    private static final Comparator<Resource> ORDER =
            Comparator.comparing(Resource::group)
                    .thenComparing(Resource::version, ApiVersions.PREFERRED_FIRST)
                    .thenComparing(Resource::plural);

    private final List<Resource> resources;
    private final Map<Name, Resource> byName;

    private FixedCatalog(List<Resource> resources) {
        List<Resource> sorted = new ArrayList<>(resources);
        sorted.sort(ORDER);
        this.resources = List.copyOf(sorted);
        this.byName = new HashMap<>();
        for (Resource resource : sorted) {
            byName.putIfAbsent(
                    new Name(resource.group(), resource.version(), resource.plural()), resource);
        }
    }

    /** Of resources with the same group, version and plural the first one counts. */
    public static Catalog of(List<Resource> resources) {
        return new FixedCatalog(resources);
    }

    @Override
    public Optional<Resource> find(String group, String version, String plural) {
        return Optional.ofNullable(byName.get(new Name(group, version, plural)));
    }

    @Override
    public List<Resource> resources() {
        return resources;
    }

    private record Name(String group, String version, String plural) {}
}
