package io.tidemark.connector;

import io.tidemark.connector.metrics.GapReport;

/**
 * Where a connector stands.
 *
 * @param objectsListed keys of the running or last list that are written
 * @param objectsTotal keys that this list has in all; 0 before its first page
 * @param objectsPerSecond of the list
 * @param epoch number of the revision history; 0 before it is known
 * @param revision all through it is written and acknowledged by every partition
 * @param etcdRevision newest revision that etcd was seen at
 * @param changes changes written since the start
 * @param deadLetters dead letters written since the start
 * @param unreadableKeys keys whose newest value cannot be read, now
 * @param gaps crossed since the start
 * @param lastError newest fault; empty when there was none
 */
public record ConnectorStatus(
        Phase phase,
        long objectsListed,
        long objectsTotal,
        double objectsPerSecond,
        long epoch,
        long revision,
        long etcdRevision,
        long changes,
        long deadLetters,
        long unreadableKeys,
        GapReport gaps,
        String lastError) {
    /** What it is doing. */
    public enum Phase {
        /** Another connector leads; this one would take over. */
        STANDBY,
        /** Reaching etcd and Kafka, reading where the topic ends. */
        STARTING,
        /** Writing a list. */
        LISTING,
        /** Writing the history between the list, or the last mark, and now. */
        REPLAYING,
        /** Writing changes as they come. */
        FOLLOWING,
        /** Pausing after a fault; it will go on by itself. */
        WAITING,
        /** Ended for good: {@code lastError} says why. */
        FAILED
    }

    ConnectorStatus asStandby() {
        return with(Phase.STANDBY, lastError);
    }

    /**
     * @param why it is not in the election
     */
    ConnectorStatus asOutOfElection(String why) {
        return with(Phase.WAITING, why);
    }

    private ConnectorStatus with(Phase newPhase, String newError) {
        return new ConnectorStatus(
                newPhase,
                objectsListed,
                objectsTotal,
                objectsPerSecond,
                epoch,
                revision,
                etcdRevision,
                changes,
                deadLetters,
                unreadableKeys,
                gaps,
                newError);
    }
}
