package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import io.tidemark.record.ChangeCodec;

/**
 * Which keys of etcd's are mirrored: the one answer for all who write the mirror or check it.
 *
 * @param includeSecrets whether Secrets are
 */
public record MirroredKeys(KubernetesKeys keys, boolean includeSecrets) {
    /** Whether its changes are told at all, be it as a dead letter. */
    public boolean isMirrored(Bytes key) {
        return includeSecrets || !keys.isSecret(key);
    }

    /**
     * Whether the mirror topic holds what the key holds. It does for all that are mirrored,
     * whatever their value (a value that is too large or cannot be read stands there as such), but
     * for those that are named like the mirror's own records.
     */
    public boolean isStored(Bytes key) {
        return isMirrored(key) && !isReserved(key);
    }

    static boolean isReserved(Bytes key) {
        return key.startsWith(ChangeCodec.CONTROL_PREFIX);
    }
}
