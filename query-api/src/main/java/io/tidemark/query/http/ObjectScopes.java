package io.tidemark.query.http;

import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The narrowest key scope of a request, given its path and field selectors. */
final class ObjectScopes {
    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";

    private ObjectScopes() {}

    /**
     * @param namespace empty for all
     */
    static KeyScope of(Resource resource, String namespace, Selection selection) {
        if (!resource.namespaced()) {
            return inDirectory(resource.keyPrefix(), selection);
        }
        String narrowed = namespace(resource, namespace, selection);
        return narrowed.isEmpty()
                ? KeyScope.collection(resource.keyPrefix())
                : inDirectory(prefix(resource, narrowed), selection);
    }

    /**
     * The single namespace that a request's path or field selector names.
     *
     * @param namespace of the path; empty for all
     * @return empty for all
     */
    static String namespace(Resource resource, String namespace, Selection selection) {
        return namespace.isEmpty() && resource.namespaced()
                ? only(selection, NAMESPACE).orElse("")
                : namespace;
    }

    /** The key prefix of a namespace or of a whole resource. */
    static Bytes prefix(Resource resource, String namespace) {
        return namespace.isEmpty()
                ? resource.keyPrefix()
                : resource.keyPrefix().concat(Bytes.utf8(namespace + "/"));
    }

    /** The key of one object. */
    static Bytes key(Resource resource, String namespace, String name) {
        return prefix(resource, namespace).concat(Bytes.utf8(name));
    }

    /**
     * Whether {@link #of} contains the matching objects only, so that the selection need not be
     * evaluated.
     *
     * @param namespace of the path; empty for all
     */
    static boolean decides(Resource resource, String namespace, Selection selection) {
        Set<String> names =
                selection.requirements().stream()
                        .filter(each -> each.source() == Source.FIELD)
                        .map(Requirement::name)
                        .filter(name -> name.equals(NAME) || name.equals(NAMESPACE))
                        .collect(Collectors.toSet());
        if (names.size() < selection.requirements().size()) {
            return false;
        }
        boolean anyNamespace = resource.namespaced() && namespace.isEmpty();
        KeyScope.Kind kind = of(resource, namespace, selection).kind();
        boolean named = !names.contains(NAME) || kind == KeyScope.Kind.EXACT;
        return named
                && (!names.contains(NAMESPACE) || anyNamespace && kind != KeyScope.Kind.COLLECTION);
    }

    static Requirement named(String name) {
        return new Requirement(Source.FIELD, NAME, Operator.IN, Set.of(name));
    }

    private static KeyScope inDirectory(Bytes directory, Selection selection) {
        return only(selection, NAME)
                .map(name -> KeyScope.exact(directory.concat(Bytes.utf8(name))))
                .orElseGet(() -> KeyScope.directory(directory));
    }

    /** The single value that a field must have, if it can be part of a key. */
    private static Optional<String> only(Selection selection, String field) {
        return selection.requirements().stream()
                .filter(r -> r.source() == Source.FIELD && r.name().equals(field))
                .filter(r -> r.operator() == Operator.IN && r.values().size() == 1)
                .map(r -> r.values().iterator().next())
                .filter(value -> !value.isEmpty() && value.indexOf('/') < 0)
                .findFirst();
    }
}
