package io.tidemark.connector.redact;

import io.tidemark.json.ValidJson;
import io.tidemark.kubernetes.KindSelector;
import io.tidemark.kubernetes.StoredKinds;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Predicate;

/**
 * Applies rules to etcd's values. A rule applies to an object whose key is in its resource's
 * directory below a Kubernetes root, and to an object of its kind at any key. The rules of a value
 * are one bit for each resource; 0 for none. Immutable, and a pure function, so that a retry after
 * a fault writes the same bytes.
 */
public final class Redactor {
    /** Applies no rule. */
    public static final Redactor NONE = new Redactor(RedactionRules.NONE, List.of());

    /** An apiVersion or kind with more bytes is none that an API server accepts. */
    private static final int MAX_NAME = 2_048;

    /**
     * @param at the paths to redact in an object, and in a list of objects
     */
    private record Rule(RuledResource resource, List<Bytes> directories, List<PathNode> at) {}

    private final List<Rule> rules = new ArrayList<>();
    private final List<Bytes> parents;
    private final KindSelector kinds = new Kinds();

    /**
     * @param parents the directories in which Kubernetes objects are, each with a slash at its end
     */
    public Redactor(RedactionRules rules, List<Bytes> parents) {
        this.parents = List.copyOf(parents);
        rules.paths().forEach((resource, paths) -> this.rules.add(rule(resource, paths)));
    }

    private static Rule rule(RuledResource resource, SortedSet<RedactionPath> paths) {
        PathNode objects = PathNode.ofObjects(paths);
        return new Rule(
                resource, resource.directories(), List.of(objects, PathNode.ofLists(objects)));
    }

    /** Whether there is no rule, so that no value needs to be looked at. */
    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /** The rules for any value at this key. */
    public long ofKey(Bytes key) {
        long found = 0;
        for (Bytes parent : parents) {
            if (key.startsWith(parent)) {
                found |=
                        matching(rule ->
                                rule.directories.stream()
                                        .anyMatch(directory ->
                                                isIn(key, parent.length(), directory)));
            }
        }
        return found;
    }

    /** Compares in any case, and skips repeated slashes. */
    private static boolean isIn(Bytes key, int parentLength, Bytes directory) {
        int at = parentLength;
        for (int i = 0; i < directory.length(); i++) {
            boolean begins = i == 0 || directory.at(i - 1) == '/';
            while (begins && at < key.length() && key.at(at) == '/') {
                at++;
            }
            if (at == key.length() || lowerCase(key.at(at)) != directory.at(i)) {
                return false;
            }
            at++;
        }
        return true;
    }

    private static int lowerCase(byte b) {
        return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
    }

    /** The rules for a Kubernetes object, as canonical JSON, by its kind. */
    public long ofObject(Bytes json) {
        return StoredKinds.inObject(json.array(), 0, json.length(), kinds);
    }

    /** Rules for any bytes, if some reader may find an object of such a kind in them. */
    public long ofValue(Bytes value) {
        return StoredKinds.inValue(value.array(), 0, value.length(), kinds);
    }

    /**
     * A Kubernetes object without the values of these rules.
     *
     * @throws io.tidemark.json.MalformedJsonException when it is no JSON
     * @throws io.tidemark.json.JsonTooLargeException when the result exceeds the limit
     */
    public Bytes redacted(long ofRules, Bytes json, int maxBytes) {
        List<PathNode> places = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            if ((ofRules >>> i & 1) != 0) {
                places.addAll(rules.get(i).at);
            }
        }
        return JsonRedaction.of(json, places, maxBytes);
    }

    private long matching(Predicate<Rule> condition) {
        long found = 0;
        for (int i = 0; i < rules.size(); i++) {
            found |= condition.test(rules.get(i)) ? 1L << i : 0;
        }
        return found;
    }

    /** Selects the kinds of the rules' resources. */
    private final class Kinds implements KindSelector {
        @Override
        public long apiVersions(byte[] json, int from, int to) {
            if (to - from > MAX_NAME) {
                return 0;
            }
            String apiVersion = ValidJson.unescaped(json, from, to);
            return matching(rule -> rule.resource.coversVersion(apiVersion));
        }

        @Override
        public long kinds(byte[] json, int from, int to) {
            if (to - from > MAX_NAME) {
                return 0;
            }
            String kind = ValidJson.unescaped(json, from, to);
            return matching(rule -> rule.resource.coversKind(kind));
        }
    }
}
