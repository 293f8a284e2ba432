package io.tidemark.query.discovery;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.Subresource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A resource as discovery lists it. Its verbs and subresources are those of the API server, since
 * clients decide by them what a cluster has: a request that writes gets 405 all the same.
 *
 * @param kind of its objects
 * @param stored empty for a kind that is only created
 * @param parts its subresources, in the API server's order
 */
record ListedResource(
        String plural,
        String singular,
        boolean namespaced,
        String kind,
        List<String> verbs,
        Optional<Resource> stored,
        List<Part> parts) {
    private static final List<String> BUILT_IN_VERBS =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");

    /** In the order of the API server, which serves them by other code. */
    private static final List<String> CUSTOM_VERBS =
            List.of(
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "create",
                    "update",
                    "watch");

    private static final List<String> PART_VERBS = List.of("get", "patch", "update");

    /**
     * A subresource.
     *
     * @param group of its kind, and {@code version}: both empty for those of the resource
     */
    record Part(String name, String group, String version, String kind, List<String> verbs) {
        boolean hasOtherKind() {
            return !version.isEmpty();
        }
    }

    static ListedResource of(BuiltInResources.Action action) {
        return new ListedResource(
                action.plural(),
                action.singular(),
                action.namespaced(),
                action.kind(),
                List.of("create"),
                Optional.empty(),
                List.of());
    }

    static ListedResource of(Resource resource) {
        return new ListedResource(
                resource.plural(),
                resource.singular(),
                resource.namespaced(),
                resource.kind(),
                verbs(resource),
                Optional.of(resource),
                parts(resource));
    }

    private static List<String> verbs(Resource resource) {
        if (resource.custom()) {
            return CUSTOM_VERBS;
        }
        boolean namespaces = resource.group().isEmpty() && resource.plural().equals("namespaces");
        return namespaces
                ? BUILT_IN_VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList()
                : BUILT_IN_VERBS;
    }

    private static List<Part> parts(Resource resource) {
        List<Part> parts = new ArrayList<>();
        for (Map.Entry<String, Subresource> entry : resource.subresources().entrySet()) {
            String name = entry.getKey();
            parts.add(
                    switch (entry.getValue()) {
                        case Subresource.Whole() ->
                                new Part(name, "", "", resource.kind(), PART_VERBS);
                        case Subresource.Scale _ ->
                                new Part(name, "autoscaling", "v1", "Scale", PART_VERBS);
                        case Subresource.NotStored(
                                        String group,
                                        String version,
                                        String kind,
                                        List<String> verbs) ->
                                new Part(name, group, version, kind, verbs);
                    });
        }
        Comparator<Part> byName = Comparator.comparing(Part::name);
        // Of custom resources the API server lists status before scale.
        parts.sort(resource.custom() ? byName.reversed() : byName);
        return List.copyOf(parts);
    }
}
