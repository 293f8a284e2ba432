package io.tidemark.query.select;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of resources that are declared to be indexed: {@code pods=spec.nodeName,status.phase}.
 * Field selectors may name such a field even if the API server does not support it.
 *
 * @param fields paths by the resource's name with its group: {@code pods}, {@code
 *     deployments.apps}, {@code widgets.peers.example.com}
 */
public record DeclaredIndexes(Map<String, Set<String>> fields) {
    /** No field of any resource. */
    public static final DeclaredIndexes NONE = new DeclaredIndexes(Map.of());

    /** Each index costs every write; this many are enough for any cluster. */
    private static final int MAX_FIELDS = 256;

    public DeclaredIndexes {
        Map<String, Set<String>> copy = new TreeMap<>();
        fields.forEach((name, paths) -> copy.put(name, Set.copyOf(paths)));
        fields = Map.copyOf(copy);
    }

    /**
     * Parses declarations. After a comma, a path without a resource belongs to the previous
     * resource, so that one text can hold several declarations.
     *
     * @throws IllegalArgumentException when one has another form or an unknown resource
     */
    public static DeclaredIndexes parse(List<String> declarations) {
        Map<String, Set<String>> fields = new TreeMap<>();
        int count = 0;
        for (String declaration : declarations) {
            String resource = "";
            for (String part : declaration.split(",", -1)) {
                int equals = part.indexOf('=');
                if (equals >= 0) {
                    resource = fullName(part.substring(0, equals).strip());
                }
                String path = withoutDot(part.substring(equals + 1).strip());
                if (resource.isEmpty() || !FieldRules.isPath(path) || ++count > MAX_FIELDS) {
                    throw new IllegalArgumentException(
                            count > MAX_FIELDS
                                    ? "more than %d fields".formatted(MAX_FIELDS)
                                    : ("'%s' is not of the form RESOURCE=PATH,PATH, such as"
                                                    + " pods=spec.nodeName,status.phase")
                                            .formatted(declaration));
                }
                fields.computeIfAbsent(resource, _ -> new TreeSet<>()).add(path);
            }
        }
        return new DeclaredIndexes(fields);
    }

    private static String withoutDot(String path) {
        return path.startsWith(".") ? path.substring(1) : path;
    }

    /**
     * A built-in resource may be named without its group; a name with a dot may be a custom one.
     */
    private static String fullName(String name) {
        List<Resource> builtIn = BuiltInResources.all(Bytes.EMPTY);
        if (builtIn.stream().anyMatch(resource -> resource.qualifiedName().equals(name))) {
            return name;
        }
        List<String> named =
                builtIn.stream()
                        .filter(resource -> resource.plural().equals(name))
                        .map(Resource::qualifiedName)
                        .distinct()
                        .toList();
        if (named.size() == 1) {
            return named.getFirst();
        }
        if (name.matches("[a-z0-9-]+(\\.[a-z0-9-]+)+")) {
            return name;
        }
        throw new IllegalArgumentException(
                "unknown resource '%s'; custom ones need their group, such as widgets.example.com"
                        .formatted(name));
    }

    /**
     * The indexes of the store: paths in stored objects by key prefix.
     *
     * @param prefix of the cluster in etcd, with the slash
     */
    public Map<Bytes, Set<String>> byKeyPrefix(Bytes prefix) {
        List<Resource> builtIn = BuiltInResources.all(prefix);
        Map<Bytes, Set<String>> found = new TreeMap<>();
        fields.forEach((name, paths) -> {
            @Nullable Resource resource =
                    builtIn.stream()
                            .filter(each -> each.qualifiedName().equals(name))
                            .findFirst()
                            .orElse(null);
            Set<String> stored =
                    found.computeIfAbsent(
                            resource == null ? customKeys(prefix, name) : resource.keyPrefix(),
                            _ -> new TreeSet<>());
            for (String path : paths) {
                stored.add(resource == null ? path : FieldRules.of(resource).storedNameOf(path));
            }
        });
        return found;
    }

    /** {@code widgets.peers.example.com} is stored in {@code peers.example.com/widgets/}. */
    private static Bytes customKeys(Bytes prefix, String name) {
        int dot = name.indexOf('.');
        return prefix.concat(
                Bytes.utf8(name.substring(dot + 1) + "/" + name.substring(0, dot) + "/"));
    }

    /** Adds the declared fields to a resource's selectable fields. */
    public Resource withIndexedFields(Resource resource) {
        Set<String> paths = fields.getOrDefault(resource.qualifiedName(), Set.of());
        return paths.isEmpty() ? resource : resource.withSelectableFields(paths);
    }
}
