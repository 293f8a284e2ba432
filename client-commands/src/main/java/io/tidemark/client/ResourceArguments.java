package io.tidemark.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that select objects, like kubectl's. */
public final class ResourceArguments {
    @Parameters(
            arity = "1..2",
            paramLabel = "RESOURCE",
            description = {
                "TYPE for all, TYPE NAME or TYPE/NAME for one object. TYPE is a plural, singular or"
                        + " short",
                "name or a kind, optionally with its group: pods, po, deploy.apps, Voyage."
            })
    private List<String> words = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only objects in this namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Option(
            names = {"-A", "--all-namespaces"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Objects of all namespaces.")
    private boolean allNamespaces;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            description = "Only objects with these labels: tier=frontend, 'app in (a,b)', !debug.")
    private String labels = "";

    @Option(
            names = "--field-selector",
            paramLabel = "FIELDS",
            description = "Only objects with these fields: spec.nodeName=pier-1.")
    private String fields = "";

    /**
     * The selected objects, with their type resolved.
     *
     * @param namespace empty for all, or for a cluster-scoped type
     * @param name empty for all
     * @param selectors query parameters; empty for none
     */
    public record ResolvedTarget(
            ResourceType type, String namespace, String name, String selectors) {
        public boolean single() {
            return !name.isEmpty();
        }

        /** The path of a list or watch; a single object is selected by {@code metadata.name}. */
        public String collection(String... parameters) {
            List<String> all = new ArrayList<>(List.of(parameters));
            all.add(
                    single()
                            ? "fieldSelector=metadata.name%3D" + ResourceType.encoded(name)
                            : selectors);
            return with(type.path(namespace, ""), all);
        }

        public String one(String... parameters) {
            return with(type.path(namespace, name), List.of(parameters));
        }

        /** A description such as {@code pods/web -n harbour}. */
        public String text() {
            String where =
                    !type.namespaced() ? "" : namespace.isEmpty() ? " -A" : " -n " + namespace;
            return type.qualified() + (single() ? "/" + name : "") + where;
        }

        private static String with(String path, List<String> parameters) {
            List<String> given = parameters.stream().filter(p -> !p.isEmpty()).toList();
            return given.isEmpty() ? path : path + "?" + String.join("&", given);
        }
    }

    /**
     * @throws UsageException when the type is unknown, or the arguments contradict each other
     */
    public ResolvedTarget find(NodeApiClient api) throws IOException, InterruptedException {
        String type = words.getFirst();
        String name = words.size() > 1 ? words.get(1) : "";
        int slash = type.indexOf('/');
        if (slash >= 0) {
            if (!name.isEmpty()) {
                throw new UsageException(
                        "give one object at a time, not " + String.join(" ", words));
            }
            name = type.substring(slash + 1);
            type = type.substring(0, slash);
        }
        ResourceType resource = ResourceTypes.of(api).find(type);
        if (!name.isEmpty() && (allNamespaces || !labels.isEmpty() || !fields.isEmpty())) {
            throw new UsageException("an object's name cannot be combined with -A or selectors");
        }
        String where = !resource.namespaced() || allNamespaces ? "" : namespace;
        return new ResolvedTarget(resource, where, name, selectors());
    }

    private String selectors() {
        List<String> parameters = new ArrayList<>();
        if (!labels.isEmpty()) {
            parameters.add("labelSelector=" + ResourceType.encoded(labels));
        }
        if (!fields.isEmpty()) {
            parameters.add("fieldSelector=" + ResourceType.encoded(fields));
        }
        return String.join("&", parameters);
    }
}
