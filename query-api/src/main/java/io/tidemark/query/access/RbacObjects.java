package io.tidemark.query.access;

import io.tidemark.authorization.RbacId;
import io.tidemark.authorization.RbacKind;
import io.tidemark.authorization.RbacRules;
import io.tidemark.query.follow.FollowedContent;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.object.StoredObject;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Compiles the RBAC objects of a cluster from their keys and values. For one thread. */
final class RbacObjects implements FollowedContent {
    private final Bytes prefix;
    private final boolean mastersPass;
    private RbacRules rules;
    private long versionsBefore;

    RbacObjects(Bytes prefix, boolean mastersPass) {
        this.prefix = prefix;
        this.mastersPass = mastersPass;
        this.rules = RbacRules.empty(mastersPass);
    }

    /**
     * The keys of all RBAC objects.
     *
     * @param prefix of the cluster in etcd, with the slash
     */
    static List<KeyScope> scopes(Bytes prefix) {
        return Arrays.stream(RbacKind.values())
                .map(kind -> {
                    Bytes directory = directory(prefix, kind);
                    return kind.isNamespaced()
                            ? KeyScope.collection(directory)
                            : KeyScope.directory(directory);
                })
                .toList();
    }

    static Bytes directory(Bytes prefix, RbacKind kind) {
        return prefix.concat(Bytes.utf8(kind.directory() + "/"));
    }

    /** The rules of all objects so far. */
    RbacRules rules() {
        return rules;
    }

    /** Moves up with each change that may change a decision. */
    long version() {
        return versionsBefore + rules.version();
    }

    @Override
    public void put(StoredObject object) {
        id(object.key())
                .ifPresent(id ->
                        rules =
                                object.isKubernetes()
                                        ? rules.put(id, object.valueCopy())
                                        : rules.putUnreadable(id, why(object)));
    }

    private static String why(StoredObject object) {
        return object.isUnreadable() ? object.reason() : "not a Kubernetes object";
    }

    @Override
    public void delete(Bytes key) {
        id(key).ifPresent(id -> rules = rules.delete(id));
    }

    @Override
    public void clear() {
        versionsBefore = version() + 1;
        rules = RbacRules.empty(mastersPass);
    }

    private Optional<RbacId> id(Bytes key) {
        return RbacId.ofKey(key.slice(prefix.length(), key.length()).utf8());
    }
}
