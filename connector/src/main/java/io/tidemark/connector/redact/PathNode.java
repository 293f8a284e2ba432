package io.tidemark.connector.redact;

import io.tidemark.json.ValidJson;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in objects that paths lead to or through. The paths of a resource form a tree of places,
 * and the elements of {@code items} are objects of the same paths, since a value may be a list.
 * Immutable once it is built.
 */
final class PathNode {
    /** Value by which every redacted one is replaced. Also valid base64, as Secrets need. */
    static final Bytes REDACTED = Bytes.utf8("\"redacted\"");

    private static final Bytes NO_FIELDS = Bytes.utf8("[]");
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /** A member by its name. */
    private record Child(String name, Bytes utf8, PathNode node) {}

    private final List<Child> members = new ArrayList<>();
    private @Nullable PathNode every;
    private @Nullable Bytes replacement;

    /**
     * The objects of a resource. Besides its paths, the members that repeat values from elsewhere
     * in the object are replaced: kubectl's last applied configuration, and managedFields, whose
     * names contain keys and values of lists.
     */
    static PathNode ofObjects(Iterable<RedactionPath> paths) {
        PathNode root = new PathNode();
        for (RedactionPath path : paths) {
            PathNode node = root;
            for (RedactionPath.Step step : path.steps()) {
                node =
                        switch (step) {
                            case RedactionPath.Step.Member(String name) -> node.child(name);
                            case RedactionPath.Step.Every() -> node.every();
                        };
            }
            node.replacement = REDACTED;
        }
        PathNode metadata = root.child("metadata");
        metadata.child("annotations").child(LAST_APPLIED).replacement = REDACTED;
        metadata.child("managedFields").replacement = NO_FIELDS;
        return root;
    }

    /** Lists of a resource's objects, and lists of such lists. */
    static PathNode ofLists(PathNode objects) {
        PathNode list = new PathNode();
        PathNode items = list.child("items");
        items.every = new PathNode();
        items.every.include(objects);
        items.every.include(list);
        return list;
    }

    /** Adds another node's members. */
    private void include(PathNode other) {
        members.addAll(other.members);
    }

    private PathNode child(String name) {
        for (Child member : members) {
            if (member.name.equals(name)) {
                return member.node;
            }
        }
        PathNode node = new PathNode();
        members.add(new Child(name, Bytes.utf8(name), node));
        return node;
    }

    private PathNode every() {
        every = every == null ? new PathNode() : every;
        return every;
    }

    /** Replaces a value here; null if the value stays. */
    @Nullable Bytes replacement() {
        return replacement;
    }

    /** Adds the places of an element. */
    void addElement(List<PathNode> places) {
        if (every != null) {
            places.add(every);
        }
    }

    /**
     * Adds the places of a member's value.
     *
     * @param from and {@code to}: the member's name between its quotes, escapes included
     */
    void addMember(byte[] json, int from, int to, boolean escaped, List<PathNode> places) {
        addElement(places);
        if (members.isEmpty()) {
            return;
        }
        String name = escaped ? ValidJson.unescaped(json, from, to) : "";
        for (Child member : members) {
            if (escaped ? member.name.equals(name) : isText(json, from, to, member.utf8)) {
                places.add(member.node);
            }
        }
    }

    private static boolean isText(byte[] json, int from, int to, Bytes text) {
        return Arrays.equals(json, from, to, text.array(), 0, text.length());
    }
}
