package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;

/**
 * Decides which of etcd's keys are mirrored, for the writer and for the self-check alike.
 *
 * @param includeSecrets whether Secrets are
 */
public record MirroredKeys(KubernetesKeys keys, boolean includeSecrets) {
    /**
     * Whether the key's changes are mirrored at all, if only as a dead letter. Decided by the key
     * alone, so that a scan of keys without values agrees: a Secret at any other key keeps its key,
     * without its value (see {@link Change.Put#WITHHELD}).
     */
    public boolean isMirrored(Bytes key) {
        return includeSecrets || !keys.isSecret(key);
    }

    /**
     * Whether the mirror topic holds the key. It does for every mirrored key, regardless of its
     * value (one that is too large or withheld is empty there), except keys that collide with the
     * mirror's control records.
     */
    public boolean isStored(Bytes key) {
        return isMirrored(key) && !isReserved(key);
    }

    static boolean isReserved(Bytes key) {
        return key.startsWith(ChangeCodec.CONTROL_PREFIX);
    }
}
