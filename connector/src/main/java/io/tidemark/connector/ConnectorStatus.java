package io.tidemark.connector;

import io.tidemark.connector.metrics.GapReport;

/**
 * A connector's progress, at one moment.
 *
 * @param objectsListed keys written by the running or last list
 * @param objectsTotal keys in that list; 0 before its first page
 * @param objectsPerSecond rate of the list
 * @param epoch number of the revision history; 0 before it is known
 * @param revision every change through it is written and acknowledged by every partition
 * @param etcdRevision newest revision seen of etcd
 * @param changes changes written since the start
 * @param deadLetters dead letters written since the start
 * @param unreadableKeys keys whose newest value cannot be decoded, now
 * @param gaps gaps reconciled since the start
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
    /** What the connector is doing. */
    public enum Phase {
        /** Another connector leads; this one is ready to take over. */
        STANDBY,
        /** Connecting to etcd and Kafka, reading the end of the topic. */
        STARTING,
        /** Writing a list. */
        LISTING,
        /** Writing the history between the list, or the last mark, and now. */
        REPLAYING,
        /** Writing changes as they come. */
        FOLLOWING,
        /** Pausing after a fault; it retries by itself. */
        WAITING,
        /** Ended for good; {@code lastError} has the reason. */
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
