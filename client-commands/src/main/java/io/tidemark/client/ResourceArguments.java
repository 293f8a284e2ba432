package io.tidemark.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which objects a command is about, as kubectl has it. */
final class ResourceArguments {
    @Parameters(
            arity = "1..2",
            paramLabel = "RESOURCE",
            description = {
                "TYPE for all, TYPE NAME or TYPE/NAME for one object. TYPE is a plural, singular,"
                        + " short",
                "name or kind, also with its group: pods, po, deploy.apps, Voyage."
            })
    private List<String> words = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Look in this namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Look in all namespaces.")
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
     * The objects, found.
     *
     * @param name empty for all
     * @param namespace empty for all, or when there are none
     * @param selectors parameters of a request; empty for none
     */
    record ResolvedTarget(ResourceType type, String namespace, String name, String selectors) {
        boolean single() {
            return !name.isEmpty();
        }

        /** As a collection, with {@code metadata.name} for a single one: for lists and watches. */
        String collection(String... parameters) {
            List<String> all = new ArrayList<>(List.of(parameters));
            all.add(
                    single()
                            ? "fieldSelector=metadata.name%3D" + ResourceType.encoded(name)
                            : selectors);
            return with(type.path(namespace, ""), all);
        }

        String one(String... parameters) {
            return with(type.path(namespace, name), List.of(parameters));
        }

        /** For people: {@code pods/web -n harbour}. */
        String text() {
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
     * @throws UsageException when the resource is none, or what is given does not go together
     */
    ResolvedTarget find(NodeApiClient api) throws IOException, InterruptedException {
        String type = words.getFirst();
        String name = words.size() > 1 ? words.get(1) : "";
        int slash = type.indexOf('/');
        if (slash >= 0) {
            if (!name.isEmpty()) {
                throw new UsageException("one object at a time: " + String.join(" ", words));
            }
            name = type.substring(slash + 1);
            type = type.substring(0, slash);
        }
        ResourceType resource = ResourceTypes.of(api).find(type);
        if (!name.isEmpty() && (allNamespaces || !labels.isEmpty() || !fields.isEmpty())) {
            throw new UsageException("one object by its name takes no -A and no selectors");
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
