package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.RbacValue.Binding;
import io.tidemark.simulation.model.RbacValue.Role;
import io.tidemark.simulation.model.RbacValue.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who was allowed what at each revision, by the roles and bindings in etcd at it: the oracle's own
 * evaluation, in plain loops.
 */
public final class ModelRights {
    private static final String ROOT = "/registry/";
    private static final List<Bytes> DIRECTORIES =
            List.of(
                    Bytes.utf8(ROOT + "roles/"),
                    Bytes.utf8(ROOT + "rolebindings/"),
                    Bytes.utf8(ROOT + "clusterroles/"),
                    Bytes.utf8(ROOT + "clusterrolebindings/"));

    private final ReferenceModel model;
    private final Map<Question, Boolean> answers = new HashMap<>();

    /**
     * @param change the newest revision that changed roles or bindings
     */
    private record Question(long history, long change, Identity who, List<Demand> demands) {}

    ModelRights(ReferenceModel model) {
        this.model = model;
    }

    /** Whether a key is one of a role or binding. */
    static boolean isRole(Bytes key) {
        return DIRECTORIES.stream().anyMatch(key::startsWith);
    }

    /** Whether all demands are allowed by the roles and bindings of a state. */
    public boolean isAllowed(Identity who, List<Demand> demands, ModelState at) {
        EpochHistory history = model.epoch(at.history());
        long change = history.roleChangeAt(at.revision());
        return answers.computeIfAbsent(
                new Question(at.history(), change, who, demands),
                _ -> demands.stream().allMatch(each -> isAllowed(who, each, history, change)));
    }

    /**
     * Whether some state, from one to another in the order of time, allows the demands, or denies
     * them. A later history is newer than all states of the ones before.
     */
    public boolean everWas(
            boolean allowed, Identity who, List<Demand> demands, ModelState from, ModelState to) {
        for (long number = from.history(); number <= to.history(); number++) {
            EpochHistory history = model.epoch(number);
            long low = number == from.history() ? from.revision() : history.firstRevision();
            long high = number == to.history() ? to.revision() : history.revision();
            for (long revision : history.roleChanges(low, high)) {
                if (isAllowed(who, demands, new ModelState(number, revision)) == allowed) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAllowed(
            Identity who, Demand demand, EpochHistory history, long revision) {
        for (Bytes key : history.keysUnder(Bytes.utf8(ROOT + "clusterrolebindings/"))) {
            Optional<Binding> binding = binding(history, key, revision);
            if (binding.isPresent()
                    && binding.get().toClusterRole()
                    && allows(binding.get(), who, demand, history, "", revision)) {
                return true;
            }
        }
        if (!(demand instanceof Demand.OfObjects objects) || objects.namespace().isEmpty()) {
            return false;
        }
        Bytes home = Bytes.utf8(ROOT + "rolebindings/" + objects.namespace() + "/");
        for (Bytes key : history.keysUnder(home)) {
            Optional<Binding> binding = binding(history, key, revision);
            if (binding.isPresent()
                    && allows(binding.get(), who, demand, history, objects.namespace(), revision)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Binding> binding(EpochHistory history, Bytes key, long revision) {
        return history.versionAt(key, revision)
                .flatMap(version -> version.payload().rbac())
                .filter(Binding.class::isInstance)
                .map(Binding.class::cast);
    }

    private static boolean allows(
            Binding binding,
            Identity who,
            Demand demand,
            EpochHistory history,
            String namespace,
            long revision) {
        boolean named =
                binding.users().contains(who.user())
                        || who.groups().stream().anyMatch(binding.groups()::contains);
        String key =
                binding.toClusterRole()
                        ? "clusterroles/" + binding.role()
                        : "roles/" + namespace + "/" + binding.role();
        return named
                && history.versionAt(Bytes.utf8(ROOT + key), revision)
                        .flatMap(version -> version.payload().rbac())
                        .filter(value -> value instanceof Role role && allows(role, demand))
                        .isPresent();
    }

    private static boolean allows(Role role, Demand demand) {
        for (Rule rule : role.rules()) {
            boolean allowed =
                    switch (demand) {
                        case Demand.OfPath(String verb, String path) ->
                                rule.verbs().contains(verb)
                                        && rule.paths().stream()
                                                .anyMatch(each -> covers(each, path));
                        case Demand.OfObjects(String verb, String resource, _, String name) ->
                                rule.verbs().contains(verb)
                                        && (rule.resources().contains(resource)
                                                || rule.resources().contains("*"))
                                        && isFor(rule.names(), name);
                    };
            if (allowed) {
                return true;
            }
        }
        return false;
    }

    private static boolean covers(String ofRule, String path) {
        return ofRule.equals(path)
                || (ofRule.endsWith("*")
                        && path.startsWith(ofRule.substring(0, ofRule.length() - 1)));
    }

    private static boolean isFor(Set<String> names, String name) {
        return names.isEmpty() || names.contains(name);
    }
}
