package io.tidemark.query.http.changes;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.changes.ChangesQuery;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
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
        if (resources.size() != 1) {
            return new ChangeScope(KeyScope.prefix(mirrored), directory);
        }
        Resource resource = resources.getFirst();
        Bytes prefix = resource.keyPrefix();
        if (!resource.namespaced()) {
            return new ChangeScope(inDirectory(prefix, query.name()), Bytes.EMPTY);
        }
        return query.namespace().isEmpty()
                ? new ChangeScope(KeyScope.collection(prefix), Bytes.EMPTY)
                : new ChangeScope(
                        inDirectory(
                                prefix.concat(Bytes.utf8(query.namespace() + "/")), query.name()),
                        Bytes.EMPTY);
    }

    private static KeyScope inDirectory(Bytes directory, String name) {
        return name.isEmpty()
                ? KeyScope.directory(directory)
                : KeyScope.exact(directory.concat(Bytes.utf8(name)));
    }
}
