package io.tidemark.store;

import io.tidemark.view.FieldPath;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Dotted paths as a tree of their segments. Not changed once it is in use. */
final class PathTree {
    private final Map<String, PathTree> children = new HashMap<>();
    private @Nullable String path;

    void add(String dotted) {
        PathTree node = this;
        for (String segment : FieldPath.names(dotted)) {
            node = node.children.computeIfAbsent(segment, _ -> new PathTree());
        }
        node.path = dotted;
    }

    @Nullable PathTree child(String segment) {
        return children.get(segment);
    }

    /** The path that ends here; null when paths only lead through. */
    @Nullable String path() {
        return path;
    }
}
