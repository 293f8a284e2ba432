package io.tidemark.query.http;

import io.tidemark.query.wire.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A parsed request path. Every served path is one of these. */
sealed interface ApiPath {
    /** Subresources of namespaces themselves. */
    Set<String> OF_NAMESPACES = Set.of("status", "finalize");

    /** Whether the response depends on mirrored data. */
    default boolean needsPartitions() {
        return switch (this) {
            case KeyValue _, DiscoveryPath _, Objects _, UnknownObjectsPath _, Changes _ -> true;
            case Health _, Metrics _, Cluster _, Console _, Unknown _ -> false;
        };
    }

    /**
     * {@code /livez}, {@code /readyz}, {@code /healthz}.
     *
     * @param part a single check; empty for all
     */
    record Health(String check, String part) implements ApiPath {}

    /** {@code /metrics}. */
    record Metrics() implements ApiPath {}

    /** {@code /cluster}: the status of all nodes. */
    record Cluster() implements ApiPath {}

    /**
     * {@code /ui/…}: a file of the console, which has no data.
     *
     * @param file its name; empty for the page, {@code ..} for the path without a slash
     */
    record Console(String file) implements ApiPath {
        private static final Console WITHOUT_SLASH = new Console("..");
    }

    /** {@code /changes}: what changed. */
    record Changes() implements ApiPath {}

    /**
     * {@code /kv/…}.
     *
     * @param rawKey still percent-encoded; empty also when a parameter names the key
     */
    record KeyValue(String rawKey) implements ApiPath {}

    /** Groups, versions, resources, the server's version, OpenAPI. */
    record DiscoveryPath(String path) implements ApiPath {}

    /**
     * Objects of a resource.
     *
     * @param group empty for the core group
     * @param inNamespace whether the path goes through {@code namespaces/…}
     * @param namespace empty for all namespaces, or a cluster-scoped resource
     * @param name empty for a collection
     * @param below the segments after the name: a subresource, and perhaps more
     * @param watch whether it is a deprecated {@code /watch/} path
     */
    record Objects(
            String group,
            String version,
            String plural,
            boolean inNamespace,
            String namespace,
            String name,
            List<String> below,
            boolean watch)
            implements ApiPath {
        public Objects {
            below = List.copyOf(below);
        }

        /** The first segment below the name; empty when there is none. */
        String subresource() {
            return below.isEmpty() ? "" : below.getFirst();
        }
    }

    /**
     * A path below a group and version that no resource can have.
     *
     * @param likeness what authorization takes it for; empty for no resource
     */
    record UnknownObjectsPath(String group, String version, Optional<Objects> likeness)
            implements ApiPath {}

    /**
     * Any other path.
     *
     * @param likeness what authorization takes it for; empty for no resource
     */
    record Unknown(Optional<Objects> likeness) implements ApiPath {
        private static final Unknown PATH = new Unknown(Optional.empty());
    }

    /**
     * @param rawPath from the request line, still percent-encoded
     * @throws io.tidemark.serving.status.StatusException 400 for an invalid escape
     */
    static ApiPath parse(String rawPath) {
        if (rawPath.startsWith("/kv/")) {
            return new KeyValue(rawPath.substring("/kv/".length()));
        }
        if (rawPath.equals("/kv")) {
            return new KeyValue("");
        }
        if (rawPath.equals("/ui")) {
            return Console.WITHOUT_SLASH;
        }
        if (rawPath.startsWith("/ui/")) {
            return new Console(rawPath.substring("/ui/".length()));
        }
        return parseDecoded(Parameters.decode(rawPath, false).utf8());
    }

    private static ApiPath parseDecoded(String path) {
        if (path.startsWith("//")) {
            return new Unknown(likeness(parseDecoded(path.replaceFirst("^/+", "/"))));
        }
        List<String> segments = new ArrayList<>(List.of(path.split("/", -1)));
        segments.removeFirst();
        while (!segments.isEmpty() && segments.getLast().isEmpty()) {
            segments.removeLast();
        }
        if (segments.isEmpty()) {
            return new DiscoveryPath("/");
        }
        return switch (segments.getFirst()) {
            case "livez", "readyz", "healthz", "metrics", "cluster", "changes", "index.html" ->
                    path.endsWith("/") ? Unknown.PATH : simple(segments);
            case "api" -> below(path, "", segments, 1);
            case "apis" ->
                    segments.size() < 3
                            ? new DiscoveryPath(withoutTrailingSlash(path))
                            : belowGroup(path, segments);
            case "version" ->
                    segments.size() == 1
                            ? new DiscoveryPath("/version")
                            : new UnknownObjectsPath("", "", Optional.empty());
            case "openapi" -> new DiscoveryPath(path);
            default -> Unknown.PATH;
        };
    }

    /** Paths that must match exactly. */
    private static ApiPath simple(List<String> segments) {
        String rest = String.join("/", segments.subList(1, segments.size()));
        return switch (segments.getFirst()) {
            case "metrics" -> rest.isEmpty() ? new Metrics() : Unknown.PATH;
            case "cluster" -> rest.isEmpty() ? new Cluster() : Unknown.PATH;
            case "changes" -> rest.isEmpty() ? new Changes() : Unknown.PATH;
            case "index.html" -> rest.isEmpty() ? new DiscoveryPath("/") : Unknown.PATH;
            default -> new Health(segments.getFirst(), rest);
        };
    }

    /** An empty group is not the core group, which is served elsewhere. */
    private static ApiPath belowGroup(String path, List<String> segments) {
        String group = segments.get(1);
        ApiPath below = below(path, group, segments, 2);
        return group.isEmpty() ? new Unknown(likeness(below)) : below;
    }

    /**
     * @param at index of the version
     */
    private static ApiPath below(String path, String group, List<String> segments, int at) {
        if (segments.size() <= at + 1) {
            return new DiscoveryPath(withoutTrailingSlash(path));
        }
        String version = segments.get(at);
        List<String> rest = new ArrayList<>(segments.subList(at + 1, segments.size()));
        boolean watch = rest.getFirst().equals("watch") && rest.size() > 1;
        if (watch) {
            rest.removeFirst();
        }
        boolean inNamespace = isInNamespace(rest);
        String namespace = inNamespace ? rest.get(1) : "";
        if (inNamespace) {
            rest.subList(0, 2).clear();
        }
        boolean nameless = rest.size() > 2 && rest.get(1).isEmpty();
        String name = rest.size() > 1 ? rest.get(1) : "";
        List<String> below = rest.subList(Math.min(2, rest.size()), rest.size());
        Objects objects =
                new Objects(
                        group,
                        version,
                        rest.getFirst(),
                        inNamespace,
                        namespace,
                        name,
                        below,
                        watch);
        boolean impossible = rest.getFirst().isEmpty() || nameless || (watch && !below.isEmpty());
        return impossible ? new UnknownObjectsPath(group, version, Optional.of(objects)) : objects;
    }

    /** The objects that the path names, or that authorization takes it for. */
    static Optional<Objects> likeness(ApiPath path) {
        return switch (path) {
            case Objects objects -> Optional.of(objects);
            case UnknownObjectsPath unknown -> unknown.likeness();
            case Unknown unknown -> unknown.likeness();
            default -> Optional.empty();
        };
    }

    /** Subresources of a namespace object are not resources in that namespace. */
    private static boolean isInNamespace(List<String> rest) {
        return rest.getFirst().equals("namespaces")
                && rest.size() > 2
                && !OF_NAMESPACES.contains(rest.get(2));
    }

    private static String withoutTrailingSlash(String path) {
        String shorter = path;
        while (shorter.length() > 1 && shorter.endsWith("/")) {
            shorter = shorter.substring(0, shorter.length() - 1);
        }
        return shorter;
    }
}
