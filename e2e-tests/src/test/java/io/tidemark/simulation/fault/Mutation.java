package io.tidemark.simulation.fault;

import io.tidemark.peer.cluster.Replica;
import io.tidemark.query.access.Permit;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.serving.freshness.BarrierSource;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.watch.Step;
import io.tidemark.simulation.kafka.LogRecord;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.ReadGuarantees;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ObjectChange;
import java.util.List;
import java.util.OptionalLong;

/**
 * A deliberate mistake between the parts of production, which a promise must detect. Each method is
 * one seam, and changes nothing by default.
 */
public interface Mutation {
    /** No mistake. */
    Mutation NONE = new Mutation() {};

    /** Between the connector and etcd's watch: where it resumes. */
    default long watchFrom(long revision) {
        return revision;
    }

    /** Whether a connector's questions for etcd's newest revision are answered. */
    default boolean answersFeed() {
        return true;
    }

    /** Whether a connector resumes only from committed marks. */
    default boolean resumesFromCommitted() {
        return true;
    }

    /** Whether a batch's mark is written behind its changes. */
    default boolean writesMarkAfterChanges() {
        return true;
    }

    /** Whether a connector also commits before the mark of what it has written. */
    default boolean commitsBeforeMarks() {
        return false;
    }

    /** How often a connector writes each batch of changes. */
    default int writesPerBatch() {
        return 1;
    }

    /** Whether keys that a list lacks are deleted in the topic. */
    default boolean deletesStaleKeys() {
        return true;
    }

    /** Whether keys that were deleted in a gap are deleted in the topic. */
    default boolean deletesKeysLostInGap() {
        return true;
    }

    /** The kind of mark that a connector writes, given the right one. */
    default Change.TideMark.Kind mark(Change.TideMark.Kind kind) {
        return kind;
    }

    /** Whether the broker fences a producer that another has replaced. */
    default boolean fences() {
        return true;
    }

    /**
     * Between the topic and a store.
     *
     * @param node that the store is on
     * @param restoring whether the store has not yet caught up
     * @return what the store reads of it
     */
    default List<LogRecord> record(LogRecord record, int node, boolean restoring) {
        return List.of(record);
    }

    /** Between a store and its disk. */
    default KeyValueEngine engine(InMemoryEngine engine) {
        return engine;
    }

    /** Whether a full disk refuses writes, and does not lose them. */
    default boolean reportsFullDisk() {
        return true;
    }

    /** Between a store and its readers. */
    default PartitionView view(PartitionView view, int node) {
        return view;
    }

    /** Between a peer's answer and its caller. */
    default <T> Replica.Answer<T> answer(Replica.Answer<T> answer) {
        return answer;
    }

    /** Between a peer's state update and the node that follows it. */
    default PartitionState advertisedState(PartitionState state) {
        return state;
    }

    /** Whether nodes know each other. */
    default boolean hasPeers() {
        return true;
    }

    /** Between the judgement of a request and its answer, other than events. */
    default Permit permit(Permit permit) {
        return permit;
    }

    /** Between the judgement of a watch or long poll and its events. */
    default Permit watchPermit(Permit permit) {
        return permit;
    }

    /** What a watch selects. */
    default Selection selection(Selection selection) {
        return selection;
    }

    /** The memory that a node's watches may hold. */
    default long watchBytes(long bytes) {
        return bytes;
    }

    /** Whether a watch that has ended is closed. */
    default boolean closesWatches() {
        return true;
    }

    /** Where a watch resumes, given its client's position. */
    default long resume(long afterRevision) {
        return afterRevision;
    }

    /** Between a watch's cursor and what is sent to its client. */
    default Step step(Step step) {
        return step;
    }

    /** The event that a watcher gets for a change. */
    default List<Received.Event> deliveredEvents(Received.Event event, ObjectChange change) {
        return List.of(event);
    }

    /** A bookmark's revision, given how far the watch is and how far etcd is. */
    default long bookmark(long throughRevision, long etcdRevision) {
        return throughRevision;
    }

    /** The revision of the bookmark that ends the initial events. */
    default long initialEventsEnd(long revision) {
        return revision;
    }

    /**
     * A barrier's answer.
     *
     * @param revision empty when etcd did not answer
     * @param newestKnown the newest revision that is known without asking
     */
    default OptionalLong barrier(OptionalLong revision, long newestKnown) {
        return revision;
    }

    /** Between a node's shared barriers and the way to the connector. */
    default BarrierSource barriers(BarrierSource source) {
        return source;
    }

    /** The state that a read waits for, given the one that its client asked for. */
    default RequestedState requested(RequestedState state) {
        return state;
    }

    /** How long it waits at most. */
    default long maxWaitMillis() {
        return ReadGuarantees.WAIT_MILLIS;
    }

    /**
     * Where a list reads its first page.
     *
     * @param highest the highest watermark of its partitions, not the lowest
     */
    default ReadPoint firstPage(ReadPoint at, long highest) {
        return at;
    }

    /**
     * Where a list reads its next page.
     *
     * @param watermark of the node that reads it
     */
    default ReadPoint nextPage(ReadPoint at, long watermark) {
        return at;
    }

    /**
     * The token that a client continues with.
     *
     * @param lastKey of the page, relative to the list's prefix
     */
    default String continueToken(String token, Bytes lastKey) {
        return token;
    }

    /**
     * The token as a node reads it.
     *
     * @param nodesEpoch the epoch that the node shows
     */
    default String tokenFor(String token, long nodesEpoch) {
        return token;
    }

    /** Whether a client that has seen a newer epoch is kept from the replicas of an older one. */
    default boolean rejectsOlderEpochs() {
        return true;
    }
}
