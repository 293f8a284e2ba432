package io.tidemark.query.http;

import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.wire.Parameters;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rights that keys of Kubernetes objects need besides the one to their path: those to the
 * objects. Keys whose resource is not known, and prefixes of several resources, need the right to
 * all resources.
 */
final class KeyRights {
    private static final String ALL = "*";

    private final Supplier<Catalog> catalog;
    private final KubernetesRoots roots;
    private final Bytes mirrored;

    /**
     * @param mirrored the prefix under which keys are mirrored
     */
    KeyRights(Supplier<Catalog> catalog, KubernetesRoots roots, Bytes mirrored) {
        this.catalog = catalog;
        this.roots = roots;
        this.mirrored = mirrored;
    }

    /** The rights to the objects that a request for keys covers; none for other keys. */
    List<RequestAttributes> of(ApiPath.KeyValue path, Parameters parameters) {
        return of(KeyValueEndpoint.scope(path, parameters, mirrored), parameters.flag("watch"));
    }

    List<RequestAttributes> of(KeyScope scope, boolean watch) {
        Catalog known = catalog.get();
        Bytes key = scope.key();
        boolean one = scope.kind() == KeyScope.Kind.EXACT;
        boolean inside = roots.rootOf(key).isPresent();
        boolean around =
                !one
                        && (roots.roots().stream().anyMatch(root -> root.startsWith(key))
                                || known.resources().stream()
                                        .anyMatch(each -> each.keyPrefix().startsWith(key)));
        Optional<Resource> resource = known.ofKey(key);
        if (!inside && !around && resource.isEmpty()) {
            return List.of();
        }
        String verb = watch ? "watch" : one ? "get" : "list";
        RequestAttributes anything = new ResourceRequest(verb, ALL, "", ALL, "", "", "");
        if (resource.isEmpty()) {
            return List.of(anything);
        }
        Bytes prefix = resource.get().keyPrefix();
        String rest = key.slice(prefix.length(), key.length()).utf8();
        return List.of(
                one
                        ? object(verb, resource.get(), rest).orElse(anything)
                        : objects(verb, resource.get(), rest));
    }

    /** The right to one object; empty when no object can have that key. */
    private static Optional<RequestAttributes> object(String verb, Resource of, String rest) {
        String[] parts = rest.split("/", -1);
        boolean fits = parts.length == (of.namespaced() ? 2 : 1);
        for (String part : parts) {
            fits &= !part.isEmpty();
        }
        if (!fits) {
            return Optional.empty();
        }
        String name = parts[parts.length - 1];
        boolean namespaceItself = of.group().isEmpty() && of.plural().equals("namespaces");
        String namespace = of.namespaced() ? parts[0] : namespaceItself ? name : "";
        return Optional.of(request(verb, of, namespace, name));
    }

    /** The right to all objects of a namespace, or of all if the prefix ends before one. */
    private static RequestAttributes objects(String verb, Resource of, String rest) {
        int slash = rest.indexOf('/');
        return request(verb, of, of.namespaced() && slash > 0 ? rest.substring(0, slash) : "", "");
    }

    private static RequestAttributes request(
            String verb, Resource of, String namespace, String name) {
        return new ResourceRequest(
                verb, of.group(), of.version(), of.plural(), "", namespace, name);
    }
}
