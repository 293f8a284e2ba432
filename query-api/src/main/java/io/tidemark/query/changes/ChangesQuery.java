package io.tidemark.query.changes;

import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.json.GoQuote;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.past.Moment;
import io.tidemark.query.select.LabelSelectors;
import io.tidemark.query.select.SelectorBounds;
import io.tidemark.query.wire.Parameters;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Requirement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request for changes.
 *
 * @param from exclusive; empty for as far back as the history goes
 * @param to inclusive; empty for now
 * @param resources of the objects; empty for all
 * @param namespace of the objects; empty for all
 * @param name of the one object; empty for all
 * @param selection of their labels, before or after the change
 * @param classes that are wanted; the others are counted
 * @param compare whether the states at both ends are compared, instead of all changes between them
 * @param oldestFirst else the newest change comes first
 * @param limit of changes in one answer
 * @param token where the answer before this one ended; empty for the first
 * @param watch whether the answer goes on with the changes to come
 */
public record ChangesQuery(
        Optional<Moment> from,
        Optional<Moment> to,
        Set<ResourceName> resources,
        String namespace,
        String name,
        Selection selection,
        Set<ChangeClass> classes,
        boolean compare,
        boolean oldestFirst,
        int limit,
        String token,
        boolean watch,
        Form form) {
    /** Most changes in one answer. */
    public static final int MAX_LIMIT = 500;

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_RESOURCES = 50;
    private static final String ALL = "*";
    private static final ResourceName NAMESPACES = new ResourceName("", "namespaces");

    /** How the answer is written. */
    public enum Form {
        JSON("json", "application/json"),
        NDJSON("ndjson", "application/x-ndjson"),
        TEXT("text", "text/plain; charset=utf-8"),
        /** Annotations of Grafana. */
        GRAFANA("grafana", "application/json");

        private final String wireName;
        private final String contentType;

        Form(String wireName, String contentType) {
            this.wireName = wireName;
            this.contentType = contentType;
        }

        public String contentType() {
            return contentType;
        }
    }

    /**
     * A resource by the name that a request has.
     *
     * @param group empty for the core group
     */
    public record ResourceName(String group, String plural) {
        static ResourceName parse(String text) {
            int dot = text.indexOf('.');
            return dot < 0
                    ? new ResourceName("", text)
                    : new ResourceName(text.substring(dot + 1), text.substring(0, dot));
        }

        /** Such as {@code deployments.apps}. */
        @Override
        public String toString() {
            return group.isEmpty() ? plural : plural + "." + group;
        }
    }

    /**
     * @param accept the header; a parameter {@code output} counts more
     * @param now the base of relative times
     * @throws io.tidemark.serving.status.StatusException 400 for an invalid parameter
     */
    public static ChangesQuery parse(Parameters parameters, String accept, Instant now) {
        Set<ResourceName> resources =
                list(parameters, "resource").map(ResourceName::parse).collect(Collectors.toSet());
        if (resources.size() > MAX_RESOURCES) {
            throw StatusErrors.badRequest(
                    "invalid resource: at most %d can be named".formatted(MAX_RESOURCES));
        }
        String name = parameters.text("name");
        if (!name.isEmpty() && resources.size() != 1) {
            throw StatusErrors.badRequest("name needs one resource: whose name is it?");
        }
        List<Requirement> labels = LabelSelectors.parse(parameters.text("labelSelector"));
        SelectorBounds.check(labels);
        boolean watch = parameters.flag("watch");
        boolean compare = parameters.flag("compare");
        if (compare && (watch || !parameters.text("order").isEmpty())) {
            throw StatusErrors.badRequest(
                    "compare cannot be combined with watch or order: it compares two states");
        }
        return new ChangesQuery(
                moment(parameters, "from", now),
                moment(parameters, "to", now),
                resources,
                parameters.text("namespace"),
                name,
                new Selection(true, labels),
                classes(parameters),
                compare,
                watch || isOldestFirst(parameters),
                limit(parameters),
                parameters.text("continue"),
                watch,
                form(parameters, accept, watch));
    }

    /** Whether changes of a resource are asked for. */
    public boolean names(Resource resource) {
        return resources.isEmpty()
                || resources.contains(new ResourceName(resource.group(), resource.plural()));
    }

    /** Whether an object is one of those that the request has the right to. */
    public boolean covers(Resource resource, ObjectName object) {
        return names(resource)
                && (namespace.isEmpty()
                        || (resource.namespaced() && object.namespace().equals(namespace)))
                && (name.isEmpty() || object.name().equals(name));
    }

    /** What the caller must be allowed to see them: with no resource named, all. */
    public List<RequestAttributes> demands() {
        if (resources.isEmpty()) {
            return List.of(demand(new ResourceName(ALL, ALL)));
        }
        List<RequestAttributes> demands = new ArrayList<>();
        resources.stream()
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .forEach(each -> demands.add(demand(each)));
        return demands;
    }

    private RequestAttributes demand(ResourceName of) {
        String verb = watch ? "watch" : name.isEmpty() ? "list" : "get";
        // The object of a namespace is asked for inside that namespace, as by an API server.
        boolean namespaceItself = of.equals(NAMESPACES) && namespace.isEmpty();
        String inside = namespaceItself ? name : namespace;
        return new ResourceRequest(verb, of.group(), "", of.plural(), "", inside, name);
    }

    private static Stream<String> list(Parameters parameters, String name) {
        return parameters.texts(name).stream()
                .flatMap(text -> Stream.of(text.split(",")))
                .map(String::strip)
                .filter(each -> !each.isEmpty());
    }

    private static Optional<Moment> moment(Parameters parameters, String name, Instant now) {
        String text = parameters.text(name);
        return text.isEmpty() || text.equals("now")
                ? Optional.empty()
                : Optional.of(Moment.parse(name, text, now));
    }

    /** All but noise, if none is named. */
    private static Set<ChangeClass> classes(Parameters parameters) {
        Set<ChangeClass> classes = EnumSet.noneOf(ChangeClass.class);
        list(parameters, "class")
                .forEach(name -> {
                    if (name.equals("all")) {
                        classes.addAll(ChangeClass.all());
                        return;
                    }
                    classes.add(
                            ChangeClass.byWireName(name)
                                    .orElseThrow(() ->
                                            StatusErrors.badRequest(
                                                    ("invalid class: %s is none of spec, metadata,"
                                                                    + " status, noise, all")
                                                            .formatted(GoQuote.string(name)))));
                });
        if (classes.isEmpty()) {
            classes.addAll(EnumSet.complementOf(EnumSet.of(ChangeClass.NOISE)));
        }
        return classes;
    }

    private static boolean isOldestFirst(Parameters parameters) {
        return switch (parameters.text("order")) {
            case "oldest" -> true;
            case "newest", "" -> false;
            default -> throw StatusErrors.badRequest("invalid order: write oldest or newest");
        };
    }

    private static int limit(Parameters parameters) {
        String text = parameters.text("limit");
        if (text.isEmpty()) {
            return DEFAULT_LIMIT;
        }
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) == 0) {
            throw StatusErrors.badRequest(
                    "invalid limit: %s is not a number above 0".formatted(GoQuote.string(text)));
        }
        return Math.min(MAX_LIMIT, Integer.parseInt(text));
    }

    private static Form form(Parameters parameters, String accept, boolean watch) {
        String output = parameters.text("output");
        Form form = null;
        for (Form each : Form.values()) {
            if (each.wireName.equals(output)) {
                form = each;
            }
        }
        if (form == null && !output.isEmpty()) {
            throw StatusErrors.badRequest(
                    "invalid output: write json, ndjson, text or grafana, not "
                            + GoQuote.string(output));
        }
        if (form == null) {
            form =
                    accept.contains("ndjson")
                            ? Form.NDJSON
                            : accept.startsWith("text/plain") ? Form.TEXT : Form.JSON;
        }
        if (watch && form == Form.GRAFANA) {
            throw StatusErrors.badRequest("invalid output: a watch writes ndjson or text");
        }
        return watch && form == Form.JSON ? Form.NDJSON : form;
    }
}
