package io.tidemark.query.discovery;

import io.tidemark.query.catalog.ApiVersions;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The catalogue by group and version, in the order of discovery: built-in groups, then the others.
 * Like the API server, it includes versions without readable resources.
 */
record Groups(List<Group> groups) {
    /** Versions are in order of preference. */
    record Group(String name, List<Version> versions) {
        Optional<Version> find(String version) {
            return versions.stream().filter(v -> v.name().equals(version)).findFirst();
        }
    }

    /**
     * A version of a group.
     *
     * @param listed sorted by name
     */
    record Version(String group, String name, List<ListedResource> listed) {
        /** Those that can be read. */
        List<Resource> resources() {
            return listed.stream().flatMap(each -> each.stored().stream()).toList();
        }

        String groupVersion() {
            return group.isEmpty() ? name : group + "/" + name;
        }
    }

    static Groups of(Catalog catalog) {
        Map<String, Map<String, List<ListedResource>>> byGroup = new LinkedHashMap<>();
        BuiltInResources.groups().forEach(group -> byGroup.put(group, versions()));
        BuiltInResources.actions()
                .forEach(action ->
                        byGroup.computeIfAbsent(action.group(), _ -> versions())
                                .computeIfAbsent(action.version(), _ -> new ArrayList<>())
                                .add(ListedResource.of(action)));
        catalog.resources().stream()
                .sorted(Comparator.comparing(Resource::group))
                .forEach(resource ->
                        byGroup.computeIfAbsent(resource.group(), _ -> versions())
                                .computeIfAbsent(resource.version(), _ -> new ArrayList<>())
                                .add(ListedResource.of(resource)));
        List<Group> groups = new ArrayList<>();
        byGroup.forEach((group, versions) -> {
            List<Version> list = new ArrayList<>();
            versions.forEach((version, resources) -> {
                resources.sort(Comparator.comparing(ListedResource::plural));
                list.add(new Version(group, version, List.copyOf(resources)));
            });
            if (!list.isEmpty()) {
                groups.add(new Group(group, List.copyOf(list)));
            }
        });
        return new Groups(List.copyOf(groups));
    }

    Optional<Group> find(String name) {
        return groups.stream().filter(group -> group.name().equals(name)).findFirst();
    }

    /** All but the core group. */
    List<Group> named() {
        return groups.stream().filter(group -> !group.name().isEmpty()).toList();
    }

    private static Map<String, List<ListedResource>> versions() {
        return new TreeMap<>(ApiVersions.PREFERRED_FIRST);
    }
}
