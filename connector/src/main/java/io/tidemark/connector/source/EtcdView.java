package io.tidemark.connector.source;

/**
 * etcd's status, from a linearizable read.
 *
 * @param clusterId etcd's cluster id, unsigned
 * @param revision newest revision
 * @param version oldest version among the members, such as 3.5.16; for people
 * @param progress how far its progress notifications can be trusted
 */
public record EtcdView(long clusterId, long revision, String version, ProgressSupport progress) {
    /** Reliability of progress notifications in a server's version. */
    public enum ProgressSupport {
        /** A reply to a progress request never overtakes an event: request it when needed. */
        ON_REQUEST,
        /**
         * Replies to requests can be wrong or missing in this version; the periodic notifications,
         * at an interval set in the server, are correct.
         */
        PERIODIC
    }
}
