package io.tidemark.query.http;

import io.tidemark.json.GoQuote;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.Subresource;
import io.tidemark.serving.status.StatusErrors;
import java.util.Set;

/**
 * The paths and methods that an API server has for objects, and its errors for others. The API
 * server routes built-in resources by a table of paths and custom ones by code, so the two differ.
 */
final class PathRules {
    private static final Subresource ITSELF = new Subresource.Whole();
    private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final Set<String> OF_COLLECTIONS = Set.of("POST", "DELETE");
    private static final Set<String> OF_OBJECTS = Set.of("PUT", "PATCH", "DELETE");
    private static final Set<String> OF_PARTS = Set.of("PUT", "PATCH");

    private PathRules() {}

    /** Whether an object of the resource can have the path, by its namespace. */
    static boolean fits(ApiPath.Objects path, Resource resource) {
        boolean inNamespace = resource.custom() ? !path.namespace().isEmpty() : path.inNamespace();
        return resource.namespaced() ? path.name().isEmpty() || inNamespace : !inNamespace;
    }

    /**
     * The subresource that the path names; the object itself when it names none.
     *
     * @throws io.tidemark.serving.status.StatusException 404 when there is no such subresource
     */
    static Subresource part(ApiPath.Objects path, Resource resource) {
        if (path.below().isEmpty()) {
            return ITSELF;
        }
        Subresource part = resource.subresources().get(path.subresource());
        if (resource.custom()) {
            if (part == null) {
                throw StatusErrors.notFound(
                        resource.qualifiedName(), resource.group(), resource.plural(), path.name());
            }
            return part;
        }
        boolean deeper = path.below().size() > 1 && !path.subresource().equals("proxy");
        if (part == null || deeper) {
            throw StatusErrors.unknownResource();
        }
        return part;
    }

    /**
     * @throws io.tidemark.serving.status.StatusException 405 unless the method is a read of
     *     something that the API server reads
     */
    static void requireReading(
            String method, ApiPath.Objects path, Resource resource, Subresource part) {
        boolean reads = method.equals("GET") || (resource.custom() && method.equals("HEAD"));
        if (!reads) {
            throw refusal(method, path, resource, part);
        }
        if (part instanceof Subresource.NotStored unstored && !unstored.read()) {
            throw StatusErrors.methodNotAllowed();
        }
    }

    private static RuntimeException refusal(
            String method, ApiPath.Objects path, Resource resource, Subresource part) {
        if (resource.custom()) {
            return WRITING.contains(method)
                    ? StatusErrors.readOnly()
                    : StatusErrors.notSupported(
                            "", resource.qualifiedName(), resource.group(), resource.plural());
        }
        return writing(path, resource, part).contains(method)
                ? StatusErrors.readOnly()
                : StatusErrors.methodNotAllowed();
    }

    /** The writing methods that the API server supports at the path. */
    private static Set<String> writing(ApiPath.Objects path, Resource resource, Subresource part) {
        if (path.watch()) {
            return Set.of();
        }
        if (path.name().isEmpty()) {
            return resource.namespaced() && !path.inNamespace() ? Set.of() : OF_COLLECTIONS;
        }
        if (path.below().isEmpty()) {
            return OF_OBJECTS;
        }
        return part instanceof Subresource.NotStored ? WRITING : OF_PARTS;
    }

    /**
     * @throws io.tidemark.serving.status.StatusException 400 for a name or namespace that no object
     *     can have
     */
    static void requireNames(ApiPath.Objects path) {
        if (path.inNamespace() && path.namespace().isEmpty() && !path.name().isEmpty()) {
            throw StatusErrors.badRequest("Namespace parameter required.");
        }
        require(path.namespace(), whyNoDirectory(path.namespace()));
        if (!path.watch()) {
            require(path.name(), whyNoName(path.name()));
        }
    }

    /** Whether it can be an object's name in a path. */
    static boolean canBeName(String name) {
        return whyNoName(name).isEmpty() && name.indexOf('/') < 0;
    }

    private static void require(String name, String wrong) {
        if (!wrong.isEmpty()) {
            throw StatusErrors.badRequest(
                    "Name parameter invalid: %s: %s".formatted(GoQuote.string(name), wrong));
        }
    }

    private static String whyNoName(String name) {
        String wrong = whyNoDirectory(name);
        return wrong.isEmpty() && name.indexOf('%') >= 0 ? "may not contain '%'" : wrong;
    }

    /** Like the API server, looks for other namespaces that cannot exist, and finds nothing. */
    private static String whyNoDirectory(String namespace) {
        return switch (namespace) {
            case ".", ".." -> "may not be '" + namespace + "'";
            default -> "";
        };
    }
}
