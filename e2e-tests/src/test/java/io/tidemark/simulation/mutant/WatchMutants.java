package io.tidemark.simulation.mutant;

import io.tidemark.record.Change;
import io.tidemark.simulation.cluster.Mutation;
import io.tidemark.simulation.cluster.ViewResults;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.PartitionView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** Mutants of watches. */
final class WatchMutants {
    private WatchMutants() {}

    static List<Mutant> all() {
        return List.of(
                merged(
                        "event dropped",
                        "every fifth revision is not sent to the watches",
                        Promise.RELIABLE,
                        changes ->
                                changes.stream()
                                        .filter(change -> change.revision() % 5 != 0)
                                        .toList()),
                merged(
                        "event twice",
                        "the last change of a page is sent twice",
                        Promise.UNIQUE,
                        WatchMutants::lastTwice),
                merged(
                        "net change twice",
                        "the last change of a page is sent twice if it is one of a gap",
                        Promise.UNIQUE,
                        changes ->
                                !changes.isEmpty() && changes.getLast().index() >= Change.GAP_INDEX
                                        ? lastTwice(changes)
                                        : changes),
                merged(
                        "reordered across partitions",
                        "the changes of a page come by key, not by revision",
                        Promise.ORDERED,
                        changes ->
                                changes.stream()
                                        .sorted(Comparator.comparing(ObjectChange::key))
                                        .toList()),
                resumed(
                        "resumed too late",
                        "a watch resumes one revision after its client's position",
                        Promise.RESUMABLE,
                        revision -> revision + 1),
                resumed(
                        "resumed too early",
                        "a watch resumes before its client's position",
                        Promise.ORDERED,
                        revision -> Math.max(1, revision - 1)),
                deliveredEvents(
                        "leaving is not sent",
                        "an object that stops matching is not DELETED",
                        Promise.RELIABLE,
                        (event, change) ->
                                event.type() == EventType.DELETED && change.current() != null
                                        ? List.of()
                                        : List.of(event)),
                deliveredEvents(
                        "wrong last state",
                        "an object that stops matching is sent in its new state",
                        Promise.FILTERED,
                        (event, change) ->
                                event.type() == EventType.DELETED && change.current() != null
                                        ? List.of(shown(event, ViewResults.text(change.current())))
                                        : List.of(event)),
                deliveredEvents(
                        "added for modified",
                        "a change of what matched before is ADDED again",
                        Promise.FILTERED,
                        (event, change) ->
                                event.type() == EventType.MODIFIED
                                        ? List.of(of(event, EventType.ADDED))
                                        : List.of(event)),
                new Mutant(
                        "early bookmark",
                        "a bookmark names etcd's revision, not the watch's",
                        Promise.BOOKMARKABLE,
                        new Mutation() {
                            @Override
                            public long bookmark(long throughRevision, long etcdRevision) {
                                return etcdRevision;
                            }
                        }),
                new Mutant(
                        "revision in parts shown",
                        "a watch may end, or send a bookmark, inside a revision",
                        Promise.ATOMIC,
                        new Mutation() {
                            @Override
                            public boolean deliversPartialRevisions() {
                                return true;
                            }
                        }),
                changes(
                        "lost on falling back",
                        "a watch that falls back to the history skips a revision",
                        Promise.RELIABLE,
                        (request, node) ->
                                request.prefix().length() > 0
                                        ? MutantViews.after(request, request.afterRevision() + 1)
                                        : request),
                changes(
                        "twice after failover",
                        "another node's replicas send changes again",
                        Promise.SOUND,
                        (request, node) ->
                                node > 0 && request.afterRevision() > 6
                                        ? MutantViews.after(request, request.afterRevision() - 4)
                                        : request));
    }

    private static List<ObjectChange> lastTwice(List<ObjectChange> changes) {
        List<ObjectChange> twice = new ArrayList<>(changes);
        if (!changes.isEmpty()) {
            twice.add(changes.getLast());
        }
        return twice;
    }

    private static Received.Event shown(Received.Event event, String text) {
        return new Received.Event(event.epoch(), event.type(), event.revision(), event.key(), text);
    }

    private static Received.Event of(Received.Event event, EventType type) {
        return new Received.Event(
                event.epoch(), type, event.revision(), event.key(), event.shown());
    }

    private static Mutant merged(
            String name,
            String does,
            Promise detectedBy,
            UnaryOperator<List<ObjectChange>> mistake) {
        return new Mutant(
                name,
                does,
                detectedBy,
                new Mutation() {
                    @Override
                    public List<ObjectChange> merged(List<ObjectChange> changes) {
                        return mistake.apply(changes);
                    }
                });
    }

    private static Mutant resumed(
            String name, String does, Promise detectedBy, LongUnaryOperator mistake) {
        return new Mutant(
                name,
                does,
                detectedBy,
                new Mutation() {
                    @Override
                    public long resume(long afterRevision) {
                        return mistake.applyAsLong(afterRevision);
                    }
                });
    }

    /** Between the dispatcher and the watcher. */
    @FunctionalInterface
    private interface EventFault {
        List<Received.Event> of(Received.Event event, ObjectChange change);
    }

    private static Mutant deliveredEvents(
            String name, String does, Promise detectedBy, EventFault mistake) {
        return new Mutant(
                name,
                does,
                detectedBy,
                new Mutation() {
                    @Override
                    public List<Received.Event> deliveredEvents(
                            Received.Event event, ObjectChange change) {
                        return mistake.of(event, change);
                    }
                });
    }

    /** Between a node and a replica that it reads. */
    @FunctionalInterface
    private interface ViewFault {
        ChangesRequest of(ChangesRequest request, int node);
    }

    private static Mutant changes(String name, String does, Promise detectedBy, ViewFault mistake) {
        return new Mutant(
                name,
                does,
                detectedBy,
                new Mutation() {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.ChangesFrom(
                                view, request -> mistake.of(request, node));
                    }
                });
    }
}
