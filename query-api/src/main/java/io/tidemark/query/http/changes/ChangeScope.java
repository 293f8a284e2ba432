package io.tidemark.query.http.changes;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.changes.ChangesQuery;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import java.util.Comparator;
import java.util.List;

/**
 * The keys whose changes have to be read for a request.
 *
 * @param directory name of their directories; empty for all
 */
record ChangeScope(KeyScope keys, Bytes directory) {
    /**
     * The narrowest scope.
     *
     * @param resources that the request names; none for all
     * @param mirrored the prefix under which keys are mirrored
     */
    static ChangeScope of(ChangesQuery query, List<Resource> resources, Bytes mirrored) {
        Bytes directory = Bytes.utf8(query.namespace());
        return resources.size() == 1
                ? new ChangeScope(keysOf(query, resources.getFirst()), Bytes.EMPTY)
                : new ChangeScope(KeyScope.prefix(mirrored), directory);
    }

    /**
     * The keys to compare for a request, in their order. All of them are of objects that the
     * request has the right to: its continue token names one.
     *
     * @param resources that the request names; none for all
     * @param catalog all resources
     * @param mirrored the prefix under which keys are mirrored
     */
    static List<KeyScope> compared(
            ChangesQuery query, List<Resource> resources, Catalog catalog, Bytes mirrored) {
        if (resources.isEmpty() && query.namespace().isEmpty()) {
            return List.of(KeyScope.prefix(mirrored));
        }
        List<Resource> asked =
                resources.isEmpty()
                        ? catalog.resources().stream().filter(Resource::namespaced).toList()
                        : resources;
        return asked.stream()
                .map(resource -> keysOf(query, resource))
                .distinct()
                .sorted(Comparator.comparing(KeyScope::key))
                .toList();
    }

    private static KeyScope keysOf(ChangesQuery query, Resource resource) {
        Bytes prefix = resource.keyPrefix();
        if (!resource.namespaced()) {
            return inDirectory(prefix, query.name());
        }
        return query.namespace().isEmpty()
                ? KeyScope.collection(prefix)
                : inDirectory(prefix.concat(Bytes.utf8(query.namespace() + "/")), query.name());
    }

    private static KeyScope inDirectory(Bytes directory, String name) {
        return name.isEmpty()
                ? KeyScope.directory(directory)
                : KeyScope.exact(directory.concat(Bytes.utf8(name)));
    }
}
