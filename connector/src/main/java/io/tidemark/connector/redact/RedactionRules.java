package io.tidemark.connector.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The values that never reach Kafka, by resource and path: {@code
 * configmaps=.data.password,deployments.apps=.spec.template.spec.containers[*].env[*].value}.
 */
public final class RedactionRules {
    /** No rule. */
    public static final RedactionRules NONE = new RedactionRules(new TreeMap<>());

    /** Each resource is one bit of a {@code long}. */
    static final int MAX_RESOURCES = 64;

    /** Length of the rules' text: each tide mark carries it. */
    private static final int MAX_TEXT = 4_096;

    private final SortedMap<RuledResource, SortedSet<RedactionPath>> paths;

    private RedactionRules(SortedMap<RuledResource, SortedSet<RedactionPath>> paths) {
        this.paths = paths;
    }

    /**
     * Parses rules {@code RESOURCE=PATH}, separated by commas. After a comma, a path without a
     * resource belongs to the previous resource.
     *
     * @throws IllegalArgumentException when one is malformed or refused, see {@link RedactionPath};
     *     when there are more than 64 resources; or when their text has more than 4,096 characters
     */
    public static RedactionRules parse(List<String> declarations) {
        SortedMap<RuledResource, SortedSet<RedactionPath>> paths = new TreeMap<>();
        for (String declaration : declarations) {
            RuledResource resource = null;
            for (String part : parts(declaration)) {
                int equals = part.indexOf('=');
                if (!part.isEmpty() && ".[".indexOf(part.charAt(0)) < 0 && equals > 0) {
                    resource = RuledResource.parse(part.substring(0, equals).strip());
                    part = part.substring(equals + 1).strip();
                }
                if (resource == null || part.isEmpty()) {
                    throw new IllegalArgumentException(
                            ("'%s' is not of the form RESOURCE=PATH,PATH, such as"
                                            + " configmaps=.data.password")
                                    .formatted(declaration));
                }
                paths.computeIfAbsent(resource, _ -> new TreeSet<>())
                        .add(RedactionPath.parse(part));
            }
        }
        RedactionRules rules = new RedactionRules(paths);
        if (paths.size() > MAX_RESOURCES || rules.toString().length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "%d resources and %,d characters; at most %d and %,d are possible"
                            .formatted(
                                    paths.size(),
                                    rules.toString().length(),
                                    MAX_RESOURCES,
                                    MAX_TEXT));
        }
        return rules;
    }

    /** The parts between the commas outside of quotes. */
    private static List<String> parts(String declaration) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int at = 0; at < declaration.length(); at++) {
            switch (declaration.charAt(at)) {
                case '\'' -> quoted = !quoted;
                case '\\' -> at++;
                case ',' -> {
                    if (!quoted) {
                        parts.add(declaration.substring(from, at).strip());
                        from = at + 1;
                    }
                }
                default -> {
                    // Part of a name.
                }
            }
        }
        parts.add(declaration.substring(from).strip());
        return parts;
    }

    /** Whether there is no rule. */
    public boolean isEmpty() {
        return paths.isEmpty();
    }

    /** The paths of each resource. */
    SortedMap<RuledResource, SortedSet<RedactionPath>> paths() {
        return paths;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RedactionRules rules && paths.equals(rules.paths);
    }

    @Override
    public int hashCode() {
        return paths.hashCode();
    }

    /** One text for equal rules, which {@link #parse} reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<RuledResource, SortedSet<RedactionPath>> rule : paths.entrySet()) {
            text.append(text.isEmpty() ? "" : ",").append(rule.getKey());
            String separator = "=";
            for (RedactionPath path : rule.getValue()) {
                text.append(separator).append(path);
                separator = ",";
            }
        }
        return text.toString();
    }
}
