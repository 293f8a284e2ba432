package io.tidemark.query.follow;

/** How far a {@link DirectoryFollower} has read. */
public sealed interface Followed {
    /** Not all directories have been read yet. */
    record Unread() implements Followed {}

    /**
     * The directories hold more than the limits allow, so nothing of them is kept.
     *
     * @param why which limit, for the log and for error messages
     */
    record TooMuch(String why) implements Followed {}

    /**
     * All objects as of a revision have been read.
     *
     * @param epoch of the mirror
     * @param through the revision of all directories together
     * @param asOfMillis when etcd was last known to be at it, by the oldest of the partitions'
     *     newest tide marks
     */
    record Through(long epoch, long through, long asOfMillis) implements Followed {}
}
