package io.tidemark.view.object;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A tree of dotted paths by their segments, see {@link FieldPath}. Not changed once in use. */
public final class PathTree {
    private final Map<String, PathTree> children = new HashMap<>();
    private @Nullable String path;
    private int size;

    /**
     * Adds a path, unless its segments are in the tree already, in any spelling.
     *
     * @return the spelling under which the path was first added
     */
    public String add(String dotted) {
        PathTree node = this;
        for (String segment : FieldPath.names(dotted)) {
            node = node.children.computeIfAbsent(segment, _ -> new PathTree());
        }
        String known = node.path;
        if (known != null) {
            return known;
        }
        node.path = dotted;
        size++;
        return dotted;
    }

    public @Nullable PathTree child(String segment) {
        return children.get(segment);
    }

    /** The path that ends here; null at an inner node. */
    public @Nullable String path() {
        return path;
    }

    /** How many paths were added; only at the root. */
    int size() {
        return size;
    }
}
