package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;

/** One key's value, as etcd holds it from {@code revision} on. */
public record Version(
        Bytes key, long revision, long createRevision, long version, long lease, Payload payload) {
    private static final Bytes SECRETS = Bytes.utf8("/registry/secrets/");

    /** Whether it is a Secret, by its key or by its value. */
    public boolean isSecret() {
        return payload.secret() || key.startsWith(SECRETS);
    }
}
