package io.tidemark.connector.redact;

import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.record.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A resource as rules name it: {@code configmaps}, {@code deployments.apps}, {@code
 * widgets.example.com}. Without a group it is a resource of any of Kubernetes' own groups.
 *
 * <p>A kind belongs to a resource when one of its usual plurals has the resource's name. That needs
 * no definition of the kind, but finds no kind with an unusual plural; those are found by key.
 */
record RuledResource(String plural, String group) implements Comparable<RuledResource> {
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private static final int MAX_NAME = 253;

    /** Directories of built-in resources that are not named like the resource. */
    private static final Map<String, String> DIRECTORIES =
            Map.of(
                    "nodes", "minions",
                    "services", "services/specs",
                    "endpoints", "services/endpoints",
                    "ingresses", "ingress",
                    "replicationcontrollers", "controllers",
                    "apiservices", "apiregistration.k8s.io/apiservices");

    /** Nodes decide by these, so a changed value could grant a right. */
    private static final Set<String> DECIDED_BY =
            Set.of(
                    "roles",
                    "clusterroles",
                    "rolebindings",
                    "clusterrolebindings",
                    "customresourcedefinitions");

    private static final Set<String> GROUPS_DECIDED_BY =
            Set.of("", "rbac.authorization.k8s.io", "apiextensions.k8s.io");

    private static final Comparator<RuledResource> ORDER =
            Comparator.comparing(RuledResource::plural).thenComparing(RuledResource::group);

    /**
     * Parses a resource's name.
     *
     * @throws IllegalArgumentException when it is malformed, an unknown one of Kubernetes' own, or
     *     one that nodes decide by
     */
    static RuledResource parse(String name) {
        if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no resource, such as configmaps or widgets.example.com"
                            .formatted(name));
        }
        int dot = name.indexOf('.');
        RuledResource resource =
                new RuledResource(
                        dot < 0 ? name : name.substring(0, dot),
                        dot < 0 ? "" : name.substring(dot + 1));
        if (DECIDED_BY.contains(resource.plural) && GROUPS_DECIDED_BY.contains(resource.group)) {
            throw new IllegalArgumentException(
                    "%s cannot be redacted: nodes decide by them".formatted(name));
        }
        if (resource.group.indexOf('.') < 0 && !resource.isBuiltIn()) {
            throw new IllegalArgumentException(
                    ("unknown resource '%s': it is a plural such as configmaps; custom ones need"
                                    + " their group, such as widgets.example.com")
                            .formatted(name));
        }
        return resource;
    }

    private boolean isBuiltIn() {
        return SchemaTables.shared().kinds().entrySet().stream()
                .anyMatch(version ->
                        coversGroup(groupOf(version.getKey()))
                                && version.getValue().keySet().stream()
                                        .map(kind -> kind.toLowerCase(Locale.ROOT))
                                        .anyMatch(kind -> plural.endsWith("s") && isNamed(kind)));
    }

    /** Whether objects of this apiVersion can be of the resource. */
    boolean coversVersion(String apiVersion) {
        return coversGroup(groupOf(apiVersion));
    }

    private boolean coversGroup(String other) {
        return group.isEmpty() ? isKubernetes(other) : group.equalsIgnoreCase(other);
    }

    private static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    private static boolean isKubernetes(String group) {
        String lower = group.toLowerCase(Locale.ROOT);
        return lower.indexOf('.') < 0 || lower.endsWith(".k8s.io");
    }

    /** Whether objects, or lists of objects, of this kind can be of the resource. */
    boolean coversKind(String kind) {
        String lower = kind.toLowerCase(Locale.ROOT);
        return isNamed(lower)
                || lower.endsWith("list") && isNamed(lower.substring(0, lower.length() - 4));
    }

    private boolean isNamed(String kind) {
        int length = kind.length();
        return plural.startsWith(kind)
                        && switch (plural.substring(length)) {
                            case "", "s", "es" -> true;
                            default -> false;
                        }
                || kind.endsWith("y")
                        && plural.length() == length + 2
                        && plural.startsWith(kind.substring(0, length - 1))
                        && plural.endsWith("ies");
    }

    /** Where API servers keep its objects, below their root, each with a slash at its end. */
    List<Bytes> directories() {
        String own = DIRECTORIES.getOrDefault(plural, plural) + "/";
        String custom = group + "/" + plural + "/";
        return group.isEmpty()
                ? List.of(Bytes.utf8(own))
                : isKubernetes(group)
                        ? List.of(Bytes.utf8(own), Bytes.utf8(custom))
                        : List.of(Bytes.utf8(custom));
    }

    @Override
    public int compareTo(RuledResource other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
