package io.tidemark.query.http;

import io.tidemark.query.status.Refusals;
import io.tidemark.query.wire.Parameters;
import java.util.ArrayList;
import java.util.List;

/** What a path asks for. Every path that is served has its place here. */
sealed interface ApiPath {
    /** {@code /livez}, {@code /readyz}, {@code /healthz}. */
    record Health(String check) implements ApiPath {}

    /** {@code /metrics}. */
    record Metrics() implements ApiPath {}

    /**
     * {@code /kv/…}.
     *
     * @param rawKey still percent-encoded; empty also when a parameter names the key
     */
    record KeyValue(String rawKey) implements ApiPath {}

    /** Groups, versions, resources, the server's version, OpenAPI. */
    record About(String path) implements ApiPath {}

    /**
     * Objects of a resource.
     *
     * @param group empty for the core group
     * @param namespace empty for all namespaces, or a cluster-scoped resource
     * @param name empty for a collection
     * @param watch whether it is one of the old paths that always watch
     */
    record Objects(
            String group,
            String version,
            String plural,
            String namespace,
            String name,
            boolean watch)
            implements ApiPath {}

    /** Below a group and version, but nothing there can have this path. */
    record NoObjects(String group, String version) implements ApiPath {}

    /** None of ours. */
    record Unknown() implements ApiPath {}

    /**
     * @param rawPath as it stands in the request line, still percent-encoded
     * @throws io.tidemark.query.status.StatusException 400 for an escape that is none, or a name
     *     that no object can have
     */
    static ApiPath parse(String rawPath) {
        if (rawPath.startsWith("/kv/")) {
            return new KeyValue(rawPath.substring("/kv/".length()));
        }
        if (rawPath.equals("/kv")) {
            return new KeyValue("");
        }
        String path = Parameters.decode(rawPath, false).utf8();
        if (path.startsWith("//")) {
            return new Unknown();
        }
        List<String> segments = new ArrayList<>(List.of(path.split("/", -1)));
        segments.removeFirst();
        while (!segments.isEmpty() && segments.getLast().isEmpty()) {
            segments.removeLast();
        }
        if (segments.isEmpty()) {
            return new About("/");
        }
        return switch (segments.getFirst()) {
            case "livez", "readyz", "healthz" ->
                    segments.size() == 1 ? new Health(segments.getFirst()) : new Unknown();
            case "metrics" -> segments.size() == 1 ? new Metrics() : new Unknown();
            case "api" -> below(path, "", segments, 1);
            case "apis" ->
                    segments.size() < 3
                            ? new About(withoutTrailingSlash(path))
                            : below(path, segments.get(1), segments, 2);
            case "version", "openapi" -> new About(withoutTrailingSlash(path));
            default -> new Unknown();
        };
    }

    /**
     * @param at place of the version
     */
    private static ApiPath below(String path, String group, List<String> segments, int at) {
        if (segments.size() <= at + 1) {
            return new About(withoutTrailingSlash(path));
        }
        String version = segments.get(at);
        List<String> rest = new ArrayList<>(segments.subList(at + 1, segments.size()));
        boolean watch = rest.getFirst().equals("watch") && rest.size() > 1;
        if (watch) {
            rest.removeFirst();
        }
        boolean namespaced = rest.getFirst().equals("namespaces") && rest.size() > 2;
        String namespace = namespaced ? rest.get(1) : "";
        if (namespaced) {
            rest.subList(0, 2).clear();
        }
        if (rest.size() > 2 || rest.getFirst().isEmpty()) {
            return new NoObjects(group, version);
        }
        String name = rest.size() == 2 ? rest.get(1) : "";
        requireName(namespace);
        requireName(name);
        return new Objects(group, version, rest.getFirst(), namespace, name, watch);
    }

    private static void requireName(String name) {
        if (name.equals(".") || name.equals("..")) {
            throw Refusals.badRequest(
                    "Name parameter invalid: \"%s\": may not be '%s'".formatted(name, name));
        }
    }

    private static String withoutTrailingSlash(String path) {
        String shorter = path;
        while (shorter.length() > 1 && shorter.endsWith("/")) {
            shorter = shorter.substring(0, shorter.length() - 1);
        }
        return shorter;
    }
}
