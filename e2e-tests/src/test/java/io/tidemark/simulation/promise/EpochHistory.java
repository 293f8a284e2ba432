package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.promise.Bridges.Stretch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every revision of one epoch, forever: the oracle. Revisions count from 1, as etcd's do. */
public final class EpochHistory {
    private final long epoch;
    private final TreeMap<Long, List<Fact>> facts = new TreeMap<>();
    private final TreeMap<Bytes, TreeMap<Long, Optional<Version>>> keys = new TreeMap<>();
    private final TreeMap<Long, Long> times = new TreeMap<>();
    private final Map<Interest, NavigableMap<Long, List<Received.Event>>> expectations =
            new HashMap<>();
    private final Bridges bridges = new Bridges();
    private long revision = 1;

    EpochHistory(long epoch) {
        this.epoch = epoch;
    }

    public long epoch() {
        return epoch;
    }

    /** The newest revision. */
    public long revision() {
        return revision;
    }

    /**
     * Begins the next revision.
     *
     * @param writes key to its new value, null to delete it; in the order of the transaction
     */
    long commit(Map<Bytes, @Nullable Payload> writes, long lease, long atMillis) {
        revision++;
        List<Fact> made = new ArrayList<>();
        writes.forEach((key, payload) -> made.add(factOf(key, payload, lease, made.size())));
        facts.put(revision, List.copyOf(made));
        times.put(revision, atMillis);
        expectations.clear();
        return revision;
    }

    private Fact factOf(Bytes key, @Nullable Payload payload, long lease, int index) {
        Version previous = versionAt(key, revision - 1).orElse(null);
        Version current =
                payload == null
                        ? null
                        : new Version(
                                key,
                                revision,
                                previous == null ? revision : previous.createRevision(),
                                previous == null ? 1 : previous.version() + 1,
                                lease,
                                payload);
        keys.computeIfAbsent(key, _ -> new TreeMap<>()).put(revision, Optional.ofNullable(current));
        return new Fact(revision, index, key, current, previous);
    }

    /**
     * Takes over what {@code other} held through {@code throughRevision}, as a backup would, and
     * skips {@code bump} revisions.
     */
    void copyFrom(EpochHistory other, long throughRevision, long bump) {
        facts.putAll(other.facts.headMap(throughRevision, true));
        times.putAll(other.times.headMap(throughRevision, true));
        other.keys.forEach((key, versions) ->
                keys.put(key, new TreeMap<>(versions.headMap(throughRevision, true))));
        revision = throughRevision + bump;
    }

    /**
     * Of the revisions after one and through another only the net change of each key is told.
     *
     * @param pure whether nothing of it was ever sent before, not even in vain
     */
    public void bridged(long after, long through, boolean pure) {
        bridges.add(new Stretch(after, through, pure));
        expectations.clear();
    }

    /** Keys of a gap that are gone are told as deleted at this revision. */
    public void looked(long atRevision) {
        bridges.looked(atRevision);
    }

    /** Where a bridged gap ends that a revision lies inside of; or else that revision. */
    public long throughBridge(long atRevision) {
        return bridges.at(atRevision).map(Stretch::through).orElse(atRevision);
    }

    /** Bridged gaps of which not only the net changes may be told. */
    List<Stretch> vague() {
        return bridges.stretches().stream().filter(stretch -> !stretch.pure()).toList();
    }

    /** Whether a revision lies in one of these. */
    boolean isVague(long atRevision) {
        return bridges.at(atRevision).filter(stretch -> !stretch.pure()).isPresent();
    }

    /** Whether a revision was bridged. */
    boolean isBridged(long atRevision) {
        return bridges.at(atRevision).isPresent();
    }

    /** Of each bridged gap whose states were never told to anybody, the first of them. */
    public List<Long> unknownRevisions() {
        return bridges.stretches().stream()
                .map(stretch -> stretch.after() + 1)
                .filter(this::isUnknown)
                .toList();
    }

    /** Whether the state at a revision was never told to anybody, and cannot be. */
    boolean isUnknown(long atRevision) {
        return bridges.at(atRevision)
                .filter(stretch -> stretch.pure() && atRevision < stretch.through())
                .isPresent();
    }

    public Optional<Version> versionAt(Bytes key, long atRevision) {
        TreeMap<Long, Optional<Version>> versions = keys.get(key);
        if (versions == null) {
            return Optional.empty();
        }
        Map.Entry<Long, Optional<Version>> entry = versions.floorEntry(atRevision);
        return entry == null ? Optional.empty() : entry.getValue();
    }

    /** What an exact read at {@code atRevision} must show, in key order. */
    public NavigableMap<Bytes, Version> stateAt(Interest interest, long atRevision) {
        NavigableMap<Bytes, Version> state = new TreeMap<>();
        for (Bytes key : keys.tailMap(interest.prefix(), true).keySet()) {
            if (!key.startsWith(interest.prefix())) {
                break;
            }
            versionAt(key, atRevision)
                    .filter(interest::matches)
                    .ifPresent(version -> state.put(key, version));
        }
        return state;
    }

    /** All facts of revisions after one and through another, in order. */
    public List<Fact> facts(long afterRevision, long throughRevision) {
        if (throughRevision <= afterRevision) {
            return List.of();
        }
        return facts.subMap(afterRevision, false, throughRevision, true).values().stream()
                .flatMap(Collection::stream)
                .toList();
    }

    List<Bytes> keysUnder(Bytes prefix) {
        return keys.tailMap(prefix, true).keySet().stream()
                .takeWhile(key -> key.startsWith(prefix))
                .toList();
    }

    /**
     * All that a key was, from one revision on and before another; empty where it was not there.
     */
    List<Optional<Version>> heldIn(Bytes key, long from, long before) {
        List<Optional<Version>> held = new ArrayList<>();
        held.add(versionAt(key, from));
        held.addAll(
                keys.getOrDefault(key, new TreeMap<>())
                        .subMap(from, false, before, false)
                        .values());
        return held;
    }

    /** Whether an event can come of what may be told of a bridged gap. */
    boolean couldBeTold(Interest interest, Stretch stretch, Received.Event event) {
        Bytes key = event.key();
        long at = event.revision();
        List<Optional<Version>> now = new ArrayList<>();
        TreeMap<Long, Optional<Version>> versions = keys.getOrDefault(key, new TreeMap<>());
        if (versions.containsKey(at)) {
            now.add(versions.get(at));
        }
        if (bridges.hasLooked(at) && versionAt(key, at).isEmpty()) {
            now.add(Optional.empty());
        }
        return now.stream()
                .flatMap(current ->
                        heldIn(key, stretch.after(), at).stream()
                                .map(previous ->
                                        new Fact(
                                                at,
                                                0,
                                                key,
                                                current.orElse(null),
                                                previous.orElse(null))))
                .anyMatch(fact -> fact.as(interest, epoch).filter(event::equals).isPresent());
    }

    /**
     * What a watcher with this interest must be told, in order; of a bridged gap the net change of
     * each key, and nothing of one that is vague.
     */
    public List<Received.Event> expected(
            Interest interest, long afterRevision, long throughRevision) {
        if (throughRevision <= afterRevision) {
            return List.of();
        }
        return expectations
                .computeIfAbsent(interest, this::allExpected)
                .subMap(afterRevision, false, throughRevision, true)
                .values()
                .stream()
                .flatMap(Collection::stream)
                .toList();
    }

    private NavigableMap<Long, List<Received.Event>> allExpected(Interest interest) {
        NavigableMap<Long, List<Received.Event>> all = new TreeMap<>();
        NavigableMap<Long, List<Fact>> told = new TreeMap<>(facts);
        for (Stretch stretch : bridges.stretches()) {
            told.subMap(stretch.after(), false, stretch.through(), true).clear();
            if (stretch.pure()) {
                told.putAll(netChanges(stretch));
            }
        }
        told.forEach((at, made) -> {
            List<Received.Event> events =
                    made.stream().flatMap(fact -> fact.as(interest, epoch).stream()).toList();
            if (!events.isEmpty()) {
                all.put(at, events);
            }
        });
        return all;
    }

    /** Puts at their own revision, and then deletes at the gap's end. */
    private Map<Long, List<Fact>> netChanges(Stretch stretch) {
        Map<Long, List<Fact>> net = new TreeMap<>();
        List<Fact> gone = new ArrayList<>();
        for (Bytes key : keys.keySet()) {
            Version before = versionAt(key, stretch.after()).orElse(null);
            Version now = versionAt(key, stretch.through()).orElse(null);
            if (now != null && now.revision() > stretch.after()) {
                List<Fact> made = net.computeIfAbsent(now.revision(), _ -> new ArrayList<>());
                made.add(new Fact(now.revision(), made.size(), key, now, before));
            } else if (now == null && before != null) {
                gone.add(new Fact(stretch.through(), gone.size(), key, null, before));
            }
        }
        net.computeIfAbsent(stretch.through(), _ -> new ArrayList<>()).addAll(gone);
        return net;
    }

    /** The last millisecond in which a revision was the newest; far ahead while it is. */
    public long newestUntilMillis(long atRevision) {
        Map.Entry<Long, Long> next = times.higherEntry(atRevision);
        return next == null ? Long.MAX_VALUE : next.getValue() - 1;
    }

    /** The newest revision that was committed at or before a time. */
    public long revisionAt(long millis) {
        // From the newest on: long runs ask for recent times only.
        for (Map.Entry<Long, Long> entry : times.descendingMap().entrySet()) {
            if (entry.getValue() <= millis) {
                return entry.getKey();
            }
        }
        return 1;
    }
}
