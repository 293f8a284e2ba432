package io.tidemark.simulation.mutant;

import io.tidemark.record.Change;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.probe.ViewResults;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mutants of watches. */
final class WatchMutants {
    private WatchMutants() {}

    static List<Mutant> all() {
        return List.of(
                delivered(
                        "event dropped",
                        "every fifth revision is not sent to the watches",
                        Promise.RELIABLE,
                        some -> some.stream().filter(each -> each.revision() % 5 != 0).toList()),
                delivered(
                        "event twice",
                        "the last event of a step is sent twice",
                        Promise.UNIQUE,
                        WatchMutants::lastTwice),
                delivered(
                        "net change twice",
                        "the last event of a step is sent twice if it is a net change of a gap",
                        Promise.UNIQUE,
                        some ->
                                some.getLast().event().change().index() >= Change.GAP_INDEX
                                        ? lastTwice(some)
                                        : some),
                delivered(
                        "reordered across partitions",
                        "the events of a step come by key, not by revision",
                        Promise.ORDERED,
                        some ->
                                some.stream()
                                        .sorted(
                                                Comparator.comparing(
                                                        each -> each.event().change().key()))
                                        .toList()),
                new Mutant(
                        "resumed too late",
                        "a watch resumes one revision after its client's position",
                        Promise.RESUMABLE) {
                    @Override
                    public long resume(long afterRevision) {
                        return afterRevision + 1;
                    }
                },
                new Mutant(
                        "resumed too early",
                        "a watch resumes before its client's position",
                        Promise.ORDERED) {
                    @Override
                    public long resume(long afterRevision) {
                        return Math.max(1, afterRevision - 1);
                    }
                },
                new Mutant(
                        "leaving is not sent",
                        "an object that stops matching is not DELETED",
                        Promise.RELIABLE) {
                    @Override
                    public List<Received.Event> deliveredEvents(
                            Received.Event event, ObjectChange change) {
                        return event.type() == EventType.DELETED && change.current() != null
                                ? List.of()
                                : List.of(event);
                    }
                },
                new Mutant(
                        "wrong last state",
                        "an object that stops matching is sent in its new state",
                        Promise.FILTERED) {
                    @Override
                    public List<Received.Event> deliveredEvents(
                            Received.Event event, ObjectChange change) {
                        return event.type() == EventType.DELETED && change.current() != null
                                ? List.of(shown(event, ViewResults.text(change.current())))
                                : List.of(event);
                    }
                },
                new Mutant(
                        "added for modified",
                        "a change of what matched before is ADDED again",
                        Promise.FILTERED) {
                    @Override
                    public List<Received.Event> deliveredEvents(
                            Received.Event event, ObjectChange change) {
                        return event.type() == EventType.MODIFIED
                                ? List.of(of(event, EventType.ADDED))
                                : List.of(event);
                    }
                },
                new Mutant(
                        "early bookmark",
                        "a bookmark names etcd's revision, not the watch's",
                        Promise.BOOKMARKABLE) {
                    @Override
                    public long bookmark(long throughRevision, long etcdRevision) {
                        return etcdRevision;
                    }
                },
                new Mutant(
                        "bookmark too high",
                        "a bookmark names the revision after the watch's",
                        Promise.BOOKMARKABLE) {
                    @Override
                    public long bookmark(long throughRevision, long etcdRevision) {
                        return throughRevision + 1;
                    }
                },
                new Mutant(
                        "field selector ignored",
                        "a watch selects by labels only",
                        Promise.FILTERED) {
                    @Override
                    public Selection selection(Selection selection) {
                        return new Selection(
                                selection.kubernetesOnly(),
                                selection.requirements().stream()
                                        .filter(each -> each.source() == Source.LABEL)
                                        .toList());
                    }
                },
                new Mutant(
                        "no budget",
                        "watches that catch up may hold all the memory they want",
                        Promise.BOUNDED) {
                    @Override
                    public long watchBytes(long bytes) {
                        return 1 << 20;
                    }
                },
                new Mutant(
                        "memory leak",
                        "a watch that ends keeps its reserved memory",
                        Promise.BOUNDED) {
                    @Override
                    public boolean closesWatches() {
                        return false;
                    }
                },
                new Mutant(
                        "initial bookmark too high",
                        "the bookmark that ends the initial objects names the next revision",
                        Promise.SNAPSHOT) {
                    @Override
                    public long initialEventsEnd(long revision) {
                        return revision + 1;
                    }
                },
                new Mutant(
                        "revision in parts shown",
                        "a watch may end, or send a bookmark, inside a revision",
                        Promise.ATOMIC) {
                    @Override
                    public Step step(Step step) {
                        return switch (step) {
                            case Step.Events(List<Delivery> some, ChangePosition through) ->
                                    new Step.Events(some, ChangePosition.endOf(through.revision()));
                            case Step.NoEvents(ChangePosition through) ->
                                    new Step.NoEvents(ChangePosition.endOf(through.revision()));
                            case Step.Ended ended -> ended;
                        };
                    }
                },
                new Mutant(
                        "lost on falling back",
                        "a watch that falls back to the history skips a revision",
                        Promise.RELIABLE) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.ChangesFrom(
                                view,
                                request ->
                                        request.prefix().length() > 0
                                                ? MutantViews.after(
                                                        request, request.afterRevision() + 1)
                                                : request);
                    }
                },
                new Mutant(
                        "twice after failover",
                        "another node's replicas send changes again",
                        Promise.SOUND) {
                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.ChangesFrom(
                                view,
                                request ->
                                        node > 0 && request.afterRevision() > 6
                                                ? MutantViews.after(
                                                        request, request.afterRevision() - 4)
                                                : request);
                    }
                });
    }

    private static List<Delivery> lastTwice(List<Delivery> some) {
        List<Delivery> twice = new ArrayList<>(some);
        twice.add(some.getLast());
        return twice;
    }

    private static Received.Event shown(Received.Event event, String text) {
        return new Received.Event(event.epoch(), event.type(), event.revision(), event.key(), text);
    }

    private static Received.Event of(Received.Event event, EventType type) {
        return new Received.Event(
                event.epoch(), type, event.revision(), event.key(), event.shown());
    }

    /** What the dispatcher hands to a watch. */
    private static Mutant delivered(
            String name, String does, Promise detectedBy, UnaryOperator<List<Delivery>> mistake) {
        return new Mutant(name, does, detectedBy) {
            @Override
            public Step step(Step step) {
                if (!(step instanceof Step.Events(List<Delivery> some, var through))) {
                    return step;
                }
                List<Delivery> wrong = mistake.apply(some);
                return wrong.isEmpty()
                        ? new Step.NoEvents(through)
                        : new Step.Events(wrong, through);
            }
        };
    }
}
