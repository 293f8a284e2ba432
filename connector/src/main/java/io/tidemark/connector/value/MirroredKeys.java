package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;

/**
 * Which keys of etcd's are mirrored: the one answer for all who write the mirror or check it.
 *
 * @param includeSecrets whether Secrets are
 */
public record MirroredKeys(KubernetesKeys keys, boolean includeSecrets) {
    /**
     * Whether the changes of the key are mirrored at all, be it as a dead letter. Decided by the
     * key alone, so that a look at keys without values finds the same: a Secret at another key
     * keeps its place, without its value (see {@link Change.Put#WITHHELD}).
     */
    public boolean isMirrored(Bytes key) {
        return includeSecrets || !keys.isSecret(key);
    }

    /**
     * Whether the mirror topic holds what the key holds. It does for all that are mirrored,
     * whatever their value (one that is too large or withheld is empty there), but for those that
     * are named like the mirror's own records.
     */
    public boolean isStored(Bytes key) {
        return isMirrored(key) && !isReserved(key);
    }

    static boolean isReserved(Bytes key) {
        return key.startsWith(ChangeCodec.CONTROL_PREFIX);
    }
}
