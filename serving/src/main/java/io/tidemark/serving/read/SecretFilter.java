package io.tidemark.serving.read;

import io.tidemark.kubernetes.SecretKeys;
import io.tidemark.kubernetes.SecretValues;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.ObjectChange;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hides Secrets from reads, even if the topic holds them: every value at a Secret's key and every
 * value that is a Secret. Values that the connector withheld are always hidden: they are empty.
 *
 * @param included whether this node shows Secrets
 */
public record SecretFilter(SecretKeys keys, boolean included) {
    /** Hides only withheld values. */
    public static final SecretFilter NONE = new SecretFilter(new SecretKeys(List.of()), true);

    private static final Bytes ANY_NAME = Bytes.utf8("x");

    /** Whether a whole scope is hidden. */
    public boolean hides(KeyScope scope) {
        Bytes key = scope.key();
        boolean one = scope.kind() == KeyScope.Kind.EXACT;
        return !included && keys.contains(one ? key : key.concat(ANY_NAME));
    }

    boolean hides(@Nullable StoredObject object) {
        return object != null && (object.isWithheld() || (!included && isSecret(object)));
    }

    /**
     * Whether only the value shows if an object is hidden, and this form of it lacks that. The
     * metadata-only form has the kind of a Kubernetes object, and nothing of other values. A form
     * of a Kubernetes object without any part of its value may stay: the object itself is read
     * before it is shown. Stores keep no message of a Secret.
     */
    boolean needsValue(@Nullable StoredObject object) {
        return object != null
                && !included
                && object.isMetadataOnly()
                && (!object.isKubernetes() || isOpen(object))
                && !hides(object);
    }

    private static boolean isOpen(StoredObject object) {
        byte[] stored = object.stored();
        return object.valueLength() > 0
                && !ProtobufForm.isMessage(object)
                && SecretValues.isOpen(stored, object.valueOffset(), stored.length);
    }

    boolean needsValue(ObjectChange change) {
        return needsValue(change.current()) || needsValue(change.previous());
    }

    private boolean isSecret(StoredObject object) {
        return object.isSecret()
                || (object.isUnreadable() && isLocked(object.reason()))
                || keys.contains(object.key())
                || (object.valueLength() > 0 && hasSecretValue(object));
    }

    private static boolean hasSecretValue(StoredObject object) {
        byte[] stored = object.stored();
        return object.isKubernetes()
                ? SecretValues.isSecretObject(stored, object.valueOffset(), stored.length)
                : SecretValues.isSecret(stored, object.valueOffset(), stored.length);
    }

    /**
     * Whether it is an encrypted Secret that the store could not, or an old store did not, open.
     */
    private static boolean isLocked(String reason) {
        return reason.startsWith(Change.Put.LOCKED) || reason.startsWith(Change.Put.ENCRYPTED);
    }

    /** The object, without its value and attributes if it is hidden. */
    StoredObject shown(StoredObject object) {
        return hides(object) ? withheld(object) : object;
    }

    KeyVersion shown(KeyVersion version) {
        StoredObject object = version.object();
        return hides(object)
                ? new KeyVersion(
                        version.revision(), version.timeMillis(), version.step(), withheld(object))
                : version;
    }

    /** Treats a hidden side as absent; empty when both are. */
    Optional<ObjectChange> shown(ObjectChange change) {
        boolean current = hides(change.current());
        boolean previous = hides(change.previous());
        if (!current && !previous) {
            return Optional.of(change);
        }
        ObjectChange shown =
                new ObjectChange(
                        change.revision(),
                        change.index(),
                        change.key(),
                        current ? null : change.current(),
                        previous ? null : change.previous());
        return Objects.isNull(shown.current()) && Objects.isNull(shown.previous())
                ? Optional.empty()
                : Optional.of(shown);
    }

    private static StoredObject withheld(StoredObject object) {
        return object.isWithheld()
                ? object
                : StoredObject.encode(
                        object.key(),
                        Bytes.EMPTY,
                        ContentType.RAW,
                        object.revision(),
                        object.createRevision(),
                        object.version(),
                        object.lease(),
                        Change.Put.WITHHELD,
                        Map.of(),
                        Map.of(),
                        0);
    }
}
