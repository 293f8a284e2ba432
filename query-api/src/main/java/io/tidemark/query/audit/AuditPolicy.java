package io.tidemark.query.audit;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which requests are recorded: the first rule that matches decides, as in the API server's audit
 * policies; without one, nothing is recorded. Bodies are never recorded, so its levels Request and
 * RequestResponse record what Metadata does.
 *
 * @param omitStages of all rules
 */
public record AuditPolicy(List<AuditRule> rules, Set<AuditStage> omitStages) {
    /** Records each request, when it is complete. */
    public static final AuditPolicy ALL =
            new AuditPolicy(List.of(AuditRule.RECORD_ALL), EnumSet.of(AuditStage.REQUEST_RECEIVED));

    private static final String ALL_RESOURCES = "*";

    public AuditPolicy {
        rules = List.copyOf(rules);
        omitStages = Set.copyOf(omitStages);
    }

    /**
     * The stages at which a request is recorded; none if it is not recorded. The rules are asked
     * for each of the demands, and what they ask for together counts.
     *
     * @param demands the request by its path, and the resources that the path does not name
     */
    public Set<AuditStage> stages(Caller caller, List<RequestAttributes> demands) {
        EnumSet<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
        demands.forEach(each -> stages.addAll(stages(caller, each)));
        return stages;
    }

    /** As the first rule says that matches; about all resources at once, as any rule says. */
    private Set<AuditStage> stages(Caller caller, RequestAttributes demand) {
        EnumSet<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
        for (AuditRule rule : rules) {
            if (rule.matches(caller, demand)) {
                if (rule.isRecorded()) {
                    stages.addAll(without(rule.omitStages()));
                }
                if (rule.resources().isEmpty() || !isForAllResources(demand)) {
                    break;
                }
            }
        }
        return stages;
    }

    private static boolean isForAllResources(RequestAttributes demand) {
        return demand instanceof ResourceRequest objects
                && objects.apiGroup().equals(ALL_RESOURCES)
                && objects.resource().equals(ALL_RESOURCES);
    }

    private Set<AuditStage> without(Set<AuditStage> more) {
        EnumSet<AuditStage> stages = EnumSet.allOf(AuditStage.class);
        stages.removeAll(omitStages);
        stages.removeAll(more);
        return stages;
    }

    /**
     * A rule. An empty list matches everything; with namespaces or resources, it matches requests
     * for objects only, with paths only, requests for anything else.
     *
     * @param isRecorded false for the level None
     * @param namespaces the empty name stands for objects without a namespace
     * @param paths exact, {@code *}, or a beginning with {@code *} at its end
     */
    public record AuditRule(
            boolean isRecorded,
            List<String> users,
            List<String> groups,
            List<String> verbs,
            List<String> namespaces,
            List<Resources> resources,
            List<String> paths,
            Set<AuditStage> omitStages) {
        /** Matches everything. */
        public static final AuditRule RECORD_ALL =
                new AuditRule(
                        true, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
                        Set.of());

        boolean matches(Caller caller, RequestAttributes request) {
            return isEmptyOrHas(users, caller.name())
                    && (groups.isEmpty() || caller.groups().stream().anyMatch(groups::contains))
                    && isEmptyOrHas(verbs, request.verb())
                    && matchesWhat(request);
        }

        private boolean matchesWhat(RequestAttributes request) {
            if (!namespaces.isEmpty() || !resources.isEmpty()) {
                return request instanceof ResourceRequest objects
                        && isEmptyOrHas(namespaces, objects.namespace())
                        && (resources.isEmpty()
                                || resources.stream().anyMatch(one -> one.match(objects)));
            }
            return paths.isEmpty()
                    || request instanceof NonResourceRequest(_, String path)
                            && paths.stream().anyMatch(pattern -> matchesPath(pattern, path));
        }

        private static boolean matchesPath(String pattern, String path) {
            return pattern.endsWith("*")
                    ? path.startsWith(pattern.substring(0, pattern.length() - 1))
                    : pattern.equals(path);
        }
    }

    /**
     * Resources of one API group.
     *
     * @param group empty for the core group
     * @param resources such as {@code pods}, {@code pods/log}, {@code pods/*} for pods and all
     *     their subresources, {@code *}; empty for all
     * @param names of objects; empty for all
     */
    public record Resources(String group, List<String> resources, List<String> names) {
        /** Whether any of them is asked for. */
        boolean match(ResourceRequest request) {
            if (isForAllResources(request)) {
                return isEmptyOrHas(names, request.name());
            }
            return group.equals(request.apiGroup())
                    && (resources.isEmpty()
                            || isEmptyOrHas(names, request.name())
                                    && resources.stream()
                                            .anyMatch(pattern -> matches(pattern, request)));
        }

        private static boolean matches(String pattern, ResourceRequest request) {
            String resource = request.resource();
            String part = request.subresource();
            return pattern.equals("*")
                    || pattern.equals(part.isEmpty() ? resource : resource + "/" + part)
                    || !part.isEmpty() && pattern.equals("*/" + part)
                    || pattern.equals(resource + "/*");
        }
    }

    private static boolean isEmptyOrHas(List<String> list, String value) {
        return list.isEmpty() || list.contains(value);
    }
}
