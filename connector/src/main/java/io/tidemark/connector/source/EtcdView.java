package io.tidemark.connector.source;

/**
 * Where etcd stands, from a linearizable read.
 *
 * @param clusterId etcd's cluster id, unsigned
 * @param revision newest revision
 * @param version oldest version among the members, such as 3.5.16; for people
 * @param progress how far its progress notifications can be trusted
 */
public record EtcdView(long clusterId, long revision, String version, ProgressSupport progress) {
    /** What a server's version says about its progress notifications. */
    public enum ProgressSupport {
        /** A reply to a progress request never overtakes an event: ask when it is needed. */
        ON_REQUEST,
        /**
         * Replies to requests can be wrong or missing in this version; the periodic notices, at an
         * interval that the server sets, are right.
         */
        PERIODIC
    }
}
