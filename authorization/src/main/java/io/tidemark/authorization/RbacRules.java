package io.tidemark.authorization;

import io.tidemark.json.MalformedJsonException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The RBAC rules of a cluster at one revision, compiled by subject. Immutable: each change makes a
 * new one that shares nearly everything with the one before.
 *
 * <p>It decides as the API server's RBAC authorizer does. Rules only add rights: there is no order
 * of rules and no denial. An object that cannot be read grants nothing.
 *
 * <p>{@link #version} moves with each change that may change a decision, and {@link #through} is
 * the revision through which all objects are in.
 */
public final class RbacRules {
    /** Members may do everything, without any role. */
    public static final String MASTERS = "system:masters";

    private final boolean mastersPass;
    private final GrantIndex index;
    private final PersistentMap<RbacId, String> unreadable;
    private final long version;
    private final long through;

    private RbacRules(
            boolean mastersPass,
            GrantIndex index,
            PersistentMap<RbacId, String> unreadable,
            long version,
            long through) {
        this.mastersPass = mastersPass;
        this.index = index;
        this.unreadable = unreadable;
        this.version = version;
        this.through = through;
    }

    /**
     * Without objects, at version and revision 0.
     *
     * @param mastersPass whether members of {@link #MASTERS} may do everything
     */
    public static RbacRules empty(boolean mastersPass) {
        return new RbacRules(mastersPass, GrantIndex.EMPTY, PersistentMap.empty(), 0, 0);
    }

    /**
     * Adds or replaces an object. Takes any bytes: what is no object of that kind and name is kept
     * in {@link #unreadable}.
     *
     * @param id of the object's key
     */
    public RbacRules put(RbacId id, byte[] json) {
        RbacObject object;
        try {
            object = RbacReader.read(id, json);
        } catch (MalformedJsonException e) {
            return putUnreadable(id, e.problem());
        }
        return with(index.put(object), unreadable.without(id));
    }

    /** Notes that an object exists that cannot be read. */
    public RbacRules putUnreadable(RbacId id, String why) {
        return with(index.putUnreadable(id), unreadable.with(id, why));
    }

    public RbacRules delete(RbacId id) {
        return with(index.remove(id), unreadable.without(id));
    }

    private RbacRules with(GrantIndex newIndex, PersistentMap<RbacId, String> newUnreadable) {
        long newVersion = newIndex == index ? version : version + 1;
        return new RbacRules(mastersPass, newIndex, newUnreadable, newVersion, through);
    }

    /**
     * The same rules, known to be complete.
     *
     * @param revision through which every change of an RBAC object is in
     */
    public RbacRules completeThrough(long revision) {
        return new RbacRules(mastersPass, index, unreadable, version, revision);
    }

    /** Moves up with each change that may change a decision. */
    public long version() {
        return version;
    }

    /** The revision through which the rules are complete. */
    public long through() {
        return through;
    }

    /** The objects that cannot be read, with the reason. */
    public Map<RbacId, String> unreadable() {
        Map<RbacId, String> all = new TreeMap<>();
        unreadable.forEach(all::put);
        return all;
    }

    /** Whether the caller may do everything, without any role. */
    public boolean isMaster(Caller caller) {
        return mastersPass && caller.groups().contains(MASTERS);
    }

    /**
     * Allows the request, or has no opinion; never denies. The reason names the binding that
     * allows, or the roles that could not be found.
     */
    public Decision decide(Caller caller, RequestAttributes request) {
        if (isMaster(caller)) {
            return Decision.allowed(() -> "");
        }
        Grant grant = index.allowing(caller, request);
        if (grant != null) {
            return Decision.allowed(() -> "RBAC: allowed by " + grant.binding().describe(caller));
        }
        return Decision.noOpinion(() -> {
            String problems = index.problems(caller, request.namespace());
            return problems.isEmpty() ? "" : "RBAC: " + problems;
        });
    }

    /**
     * The rules that apply to the caller, each binding's once. That members of {@link #MASTERS}
     * pass is no rule.
     *
     * @param namespace empty for those of ClusterRoleBindings only
     */
    public EffectiveRules rulesOf(Caller caller, String namespace) {
        return EffectiveRules.of(
                index.of(caller, namespace).stream()
                        .flatMap(grant -> grant.role().rules().stream())
                        .toList(),
                index.problems(caller, namespace));
    }
}
