package io.tidemark.query.catalog;

import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A catalogue that never changes. */
public final class FixedCatalog implements Catalog {
    private static final Comparator<Resource> ORDER =
            Comparator.comparing(Resource::group)
                    .thenComparing(Resource::version, ApiVersions.PREFERRED_FIRST)
                    .thenComparing(Resource::plural);

    private final List<Resource> resources;
    private final Map<Name, Resource> byName = new HashMap<>();
    private final Map<Bytes, Resource> byPrefix = new HashMap<>();
    private final Map<Kind, Resource> byKind = new HashMap<>();
    private final Set<String> builtInGroups = new HashSet<>();

    private FixedCatalog(List<Resource> resources) {
        List<Resource> sorted = new ArrayList<>(resources);
        sorted.sort(ORDER);
        this.resources = List.copyOf(sorted);
        BuiltInResources.actions().forEach(action -> builtInGroups.add(action.group()));
        for (Resource resource : sorted) {
            byName.putIfAbsent(
                    new Name(resource.group(), resource.version(), resource.plural()), resource);
            // Preferred versions come first.
            byPrefix.putIfAbsent(resource.keyPrefix(), resource);
            byKind.putIfAbsent(new Kind(resource.group(), resource.kind()), resource);
            if (!resource.custom()) {
                builtInGroups.add(resource.group());
            }
        }
    }

    /** Of resources with the same group, version and plural the first one counts. */
    public static Catalog of(List<Resource> resources) {
        return new FixedCatalog(resources);
    }

    /** One catalogue, and of another one the resources that are stored in other places. */
    public static Catalog joined(Catalog first, Catalog other) {
        Set<Bytes> prefixes =
                first.resources().stream().map(Resource::keyPrefix).collect(Collectors.toSet());
        List<Resource> more =
                other.resources().stream()
                        .filter(each -> !prefixes.contains(each.keyPrefix()))
                        .toList();
        if (more.isEmpty()) {
            return first;
        }
        List<Resource> all = new ArrayList<>(first.resources());
        all.addAll(more);
        return of(all);
    }

    @Override
    public Optional<Resource> find(String group, String version, String plural) {
        return Optional.ofNullable(byName.get(new Name(group, version, plural)));
    }

    @Override
    public List<Resource> resources() {
        return resources;
    }

    @Override
    public Optional<Resource> ofKey(Bytes key) {
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

    @Override
    public Optional<Resource> ofKind(String group, String kind) {
        return Optional.ofNullable(byKind.get(new Kind(group, kind)));
    }

    @Override
    public boolean servesBuiltIn(String group) {
        return builtInGroups.contains(group);
    }

    private record Kind(String group, String kind) {}

    private record Name(String group, String version, String plural) {}
}
