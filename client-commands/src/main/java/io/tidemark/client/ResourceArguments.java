package io.tidemark.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
     * @param past whether the type is of a moment of the past, and the present does not have it
     */
    public record ResolvedTarget(
            ResourceType type, String namespace, String name, String selectors, boolean past) {
        public boolean single() {
            return !name.isEmpty();
        }

        /** The path of a list or watch; a single object is selected by {@code metadata.name}. */
        public String collection(TimeArgument moment, String... parameters) {
            List<String> all = new ArrayList<>(List.of(parameters));
            all.add(
                    single()
                            ? "fieldSelector=metadata.name%3D" + ResourceType.encoded(name)
                            : selectors);
            return at(moment, type.path(namespace, ""), all);
        }

        public String one(TimeArgument moment, String... parameters) {
            return at(moment, type.path(namespace, name), List.of(parameters));
        }

        /** A description such as {@code pods/web -n harbour}. */
        public String text() {
            String where =
                    !type.namespaced() ? "" : namespace.isEmpty() ? " -A" : " -n " + namespace;
            return type.qualified() + (single() ? "/" + name : "") + where;
        }

        private String at(TimeArgument moment, String path, List<String> parameters) {
            List<String> given = new ArrayList<>(parameters);
            given.addFirst(past ? "" : moment.query());
            given.removeIf(String::isEmpty);
            String based = past ? moment.base() + path : path;
            return given.isEmpty() ? based : based + "?" + String.join("&", given);
        }
    }

    /**
     * @param moments of the states to read: if the present does not have the type, it is that of
     *     the first one that has it
     * @throws UsageException when the type is unknown, or the arguments contradict each other
     */
    public ResolvedTarget find(NodeApiClient api, TimeArgument... moments)
            throws IOException, InterruptedException {
        String first = words.getFirst();
        int slash = first.indexOf('/');
        if (slash >= 0 && words.size() > 1) {
            throw new UsageException("give one object at a time, not " + String.join(" ", words));
        }
        String type = slash < 0 ? first : first.substring(0, slash);
        String name =
                slash >= 0 ? first.substring(slash + 1) : words.size() > 1 ? words.get(1) : "";
        ResourceTypes present = ResourceTypes.of(api);
        Optional<ResourceType> known = present.known(type);
        boolean past = known.isEmpty();
        for (int i = 0; i < moments.length && known.isEmpty(); i++) {
            known = past(api, moments[i], type);
        }
        ResourceType resource = known.orElseThrow(() -> unknown(present, type, moments));
        if (!name.isEmpty() && (allNamespaces || !labels.isEmpty() || !fields.isEmpty())) {
            throw new UsageException("an object's name cannot be combined with -A or selectors");
        }
        String where = !resource.namespaced() || allNamespaces ? "" : namespace;
        return new ResolvedTarget(resource, where, name, selectors(), past);
    }

    private static Optional<ResourceType> past(NodeApiClient api, TimeArgument moment, String type)
            throws IOException, InterruptedException {
        if (moment instanceof TimeArgument.Now) {
            return Optional.empty();
        }
        try {
            return ResourceTypes.of(api, moment).known(type);
        } catch (ApiException e) {
            if (e.isNotFound()) { // No Tidemark node, or --server names a moment itself.
                return Optional.empty();
            }
            throw e;
        }
    }

    private static UsageException unknown(
            ResourceTypes present, String type, TimeArgument... moments) {
        String hint =
                moments.length > 0
                        ? ""
                        : ". If it was defined earlier, ask with --server URL/at/MOMENT";
        return new UsageException(present.unknown(type) + hint);
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
