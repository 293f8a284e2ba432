package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
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

    /** What a watcher with this interest must be told, in order. */
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
        facts.forEach((at, made) -> {
            List<Received.Event> events =
                    made.stream().flatMap(fact -> fact.as(interest, epoch).stream()).toList();
            if (!events.isEmpty()) {
                all.put(at, events);
            }
        });
        return all;
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
