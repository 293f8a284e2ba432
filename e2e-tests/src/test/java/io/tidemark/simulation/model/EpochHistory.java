package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.ReconciledGaps.ReconciledGap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Every revision of one epoch, kept forever: the oracle. Revisions count from 1, as etcd's do. */
public final class EpochHistory {
    private final long epoch;
    private final TreeMap<Long, List<RevisionChange>> facts;
    private final TreeMap<Bytes, KeyVersions> keys;
    private final TreeMap<Long, Long> times;

    /** The revisions that changed roles or bindings. */
    private final TreeSet<Long> roleChanges;

    private final Map<ModelFilter, NavigableMap<Long, List<Received.Event>>> expectations =
            new HashMap<>();
    private final ReconciledGaps reconciledGaps = new ReconciledGaps();
    private final Map<Long, EpochHistory> mirrored = new HashMap<>();

    /** The history itself, if this is how an epoch of the mirror shows it. */
    private final EpochHistory whole;

    private long revision = 1;
    private long firstRevision = 1;

    EpochHistory(long epoch) {
        this.epoch = epoch;
        this.facts = new TreeMap<>();
        this.keys = new TreeMap<>();
        this.times = new TreeMap<>();
        this.roleChanges = new TreeSet<>();
        this.whole = this;
    }

    private EpochHistory(EpochHistory whole) {
        this.epoch = whole.epoch;
        this.facts = whole.facts;
        this.keys = whole.keys;
        this.times = whole.times;
        this.roleChanges = whole.roleChanges;
        this.whole = whole;
    }

    /**
     * The same history as an epoch of the mirror shows it: with the gaps of that epoch alone.
     *
     * @param mirrorEpoch 0 for no certain one
     */
    public EpochHistory mirroredIn(long mirrorEpoch) {
        return mirrorEpoch == 0
                ? this
                : mirrored.computeIfAbsent(mirrorEpoch, _ -> new EpochHistory(this));
    }

    public long epoch() {
        return epoch;
    }

    /** The newest revision. */
    public long revision() {
        return whole.revision;
    }

    /**
     * Begins the next revision.
     *
     * @param writes key to its new value, null to delete it; in the order of the transaction
     */
    long commit(Map<Bytes, @Nullable Payload> writes, long lease, long atMillis) {
        revision++;
        List<RevisionChange> made = new ArrayList<>();
        writes.forEach((key, payload) -> made.add(factOf(key, payload, lease, made.size())));
        facts.put(revision, List.copyOf(made));
        times.put(revision, atMillis);
        expectations.clear();
        mirrored.values().forEach(view -> view.expectations.clear());
        return revision;
    }

    private RevisionChange factOf(Bytes key, @Nullable Payload payload, long lease, int index) {
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
        keys.computeIfAbsent(key, _ -> new KeyVersions()).add(revision, current);
        if (ModelRights.isRole(key)) {
            roleChanges.add(revision);
        }
        return new RevisionChange(revision, index, key, current, previous);
    }

    /**
     * Copies the revisions of {@code other} through {@code throughRevision}, as a backup would, and
     * skips {@code bump} revisions.
     */
    void copyFrom(EpochHistory other, long throughRevision, long bump) {
        facts.putAll(other.facts.headMap(throughRevision, true));
        times.putAll(other.times.headMap(throughRevision, true));
        roleChanges.addAll(other.roleChanges.headSet(throughRevision, true));
        other.keys.forEach((key, versions) -> keys.put(key, versions.through(throughRevision)));
        revision = throughRevision + bump;
        firstRevision = throughRevision;
    }

    /** The revision of the first state that belongs to this history alone. */
    long firstRevision() {
        return whole.firstRevision;
    }

    /** The newest revision through another that changed roles or bindings; 0 for none. */
    long roleChangeAt(long throughRevision) {
        Long change = roleChanges.floor(throughRevision);
        return change == null ? 0 : change;
    }

    /** Revisions of which each shows other roles or bindings, of all from one through another. */
    List<Long> roleChanges(long from, long through) {
        if (from > through) {
            return List.of();
        }
        List<Long> all = new ArrayList<>(List.of(from));
        all.addAll(roleChanges.subSet(from, false, through, true));
        return all;
    }

    /**
     * A gap: after one revision and through another only the net change of each key is mirrored.
     *
     * @param exact whether none of it was ever sent before, not even in an aborted transaction
     */
    public void netChangesWritten(long after, long through, boolean exact) {
        reconciledGaps.add(new ReconciledGap(after, through, exact));
        expectations.clear();
    }

    /** Stale keys of a gap are deleted at this revision. */
    public void deletesWrittenAt(long atRevision) {
        reconciledGaps.deletesWrittenAt(atRevision);
    }

    /** The end of the bridged gap that contains a revision, or else that revision. */
    public long endOfGap(long atRevision) {
        return reconciledGaps.at(atRevision).map(ReconciledGap::through).orElse(atRevision);
    }

    /** Bridged gaps of which more than the net changes may be sent. */
    public List<ReconciledGap> inexactGaps() {
        return reconciledGaps.all().stream().filter(gap -> !gap.exact()).toList();
    }

    /** Whether a revision is in one of these. */
    public boolean isInInexactGap(long atRevision) {
        return reconciledGaps.at(atRevision).filter(gap -> !gap.exact()).isPresent();
    }

    /** Whether a revision was bridged. */
    public boolean isInGap(long atRevision) {
        return reconciledGaps.at(atRevision).isPresent();
    }

    /** For each bridged gap whose states were never mirrored, the first of these states. */
    public List<Long> hiddenRevisions() {
        return reconciledGaps.all().stream()
                .map(gap -> gap.after() + 1)
                .filter(this::isHidden)
                .toList();
    }

    /** Whether the state at a revision was never mirrored, and cannot be. */
    public boolean isHidden(long atRevision) {
        return reconciledGaps
                .at(atRevision)
                .filter(gap -> gap.exact() && atRevision < gap.through())
                .isPresent();
    }

    public Optional<Version> versionAt(Bytes key, long atRevision) {
        KeyVersions versions = keys.get(key);
        return versions == null ? Optional.empty() : Optional.ofNullable(versions.at(atRevision));
    }

    /** What an exact read at {@code atRevision} must show, in key order. */
    public NavigableMap<Bytes, Version> stateAt(ModelFilter interest, long atRevision) {
        NavigableMap<Bytes, Version> state = new TreeMap<>();
        for (Map.Entry<Bytes, KeyVersions> each :
                keys.tailMap(interest.prefix(), true).entrySet()) {
            if (!each.getKey().startsWith(interest.prefix())) {
                break;
            }
            Version version = each.getValue().at(atRevision);
            if (interest.matches(version)) {
                state.put(each.getKey(), version);
            }
        }
        return state;
    }

    /** All facts of revisions after one and through another, in order. */
    public List<RevisionChange> facts(long afterRevision, long throughRevision) {
        if (throughRevision <= afterRevision) {
            return List.of();
        }
        List<RevisionChange> all = new ArrayList<>();
        facts.subMap(afterRevision, false, throughRevision, true).values().forEach(all::addAll);
        return all;
    }

    public List<Bytes> keysUnder(Bytes prefix) {
        return keys.tailMap(prefix, true).keySet().stream()
                .takeWhile(key -> key.startsWith(prefix))
                .toList();
    }

    /**
     * All values of a key from one revision on and before another; empty where it did not exist.
     */
    public List<Optional<Version>> versionsBetween(Bytes key, long from, long before) {
        List<Optional<Version>> held = new ArrayList<>();
        held.add(versionAt(key, from));
        KeyVersions versions = keys.get(key);
        if (versions != null) {
            versions.addBetween(from, before, held);
        }
        return held;
    }

    /** Whether a bridged gap may yield an event. */
    public boolean isPermittedEvent(ModelFilter interest, ReconciledGap gap, Received.Event event) {
        Bytes key = event.key();
        long at = event.revision();
        List<Optional<Version>> now = new ArrayList<>();
        KeyVersions versions = keys.get(key);
        if (versions != null && versions.changedAt(at)) {
            now.add(versionAt(key, at));
        }
        if (reconciledGaps.wroteDeletesAt(at) && versionAt(key, at).isEmpty()) {
            now.add(Optional.empty());
        }
        return now.stream()
                .flatMap(current ->
                        versionsBetween(key, gap.after(), at).stream()
                                .map(previous ->
                                        new RevisionChange(
                                                at,
                                                0,
                                                key,
                                                current.orElse(null),
                                                previous.orElse(null))))
                .anyMatch(fact -> fact.as(interest, epoch).filter(event::equals).isPresent());
    }

    /**
     * What a watcher with this filter must receive, in order; of a bridged gap the net change of
     * each key, and nothing of a gap that is not exact.
     */
    public List<Received.Event> expected(
            ModelFilter interest, long afterRevision, long throughRevision) {
        if (throughRevision <= afterRevision) {
            return List.of();
        }
        List<Received.Event> events = new ArrayList<>();
        expectations
                .computeIfAbsent(interest, this::allExpected)
                .subMap(afterRevision, false, throughRevision, true)
                .values()
                .forEach(events::addAll);
        return events;
    }

    private NavigableMap<Long, List<Received.Event>> allExpected(ModelFilter interest) {
        NavigableMap<Long, List<Received.Event>> all = new TreeMap<>();
        NavigableMap<Long, List<RevisionChange>> mirrored = new TreeMap<>(facts);
        for (ReconciledGap gap : reconciledGaps.all()) {
            mirrored.subMap(gap.after(), false, gap.through(), true).clear();
            if (gap.exact()) {
                mirrored.putAll(netChanges(gap));
            }
        }
        mirrored.forEach((at, made) -> {
            List<Received.Event> events = new ArrayList<>();
            made.forEach(fact -> fact.as(interest, epoch).ifPresent(events::add));
            if (!events.isEmpty()) {
                all.put(at, events);
            }
        });
        return all;
    }

    /** Puts at their own revision, and then deletes at the gap's end. */
    private Map<Long, List<RevisionChange>> netChanges(ReconciledGap gap) {
        Map<Long, List<RevisionChange>> net = new TreeMap<>();
        List<RevisionChange> gone = new ArrayList<>();
        for (Bytes key : keys.keySet()) {
            Version before = versionAt(key, gap.after()).orElse(null);
            Version now = versionAt(key, gap.through()).orElse(null);
            if (now != null && now.revision() > gap.after()) {
                List<RevisionChange> made =
                        net.computeIfAbsent(now.revision(), _ -> new ArrayList<>());
                made.add(new RevisionChange(now.revision(), made.size(), key, now, before));
            } else if (now == null && before != null) {
                gone.add(new RevisionChange(gap.through(), gone.size(), key, null, before));
            }
        }
        net.computeIfAbsent(gap.through(), _ -> new ArrayList<>()).addAll(gone);
        return net;
    }

    /** The last millisecond in which a revision was the newest; far in the future while it is. */
    public long newestUntilMillis(long atRevision) {
        Map.Entry<Long, Long> next = times.higherEntry(atRevision);
        return next == null ? Long.MAX_VALUE : next.getValue() - 1;
    }

    /** The newest revision that was committed at or before a time. */
    public long revisionAt(long millis) {
        // From the newest on: long runs only request recent times.
        for (Map.Entry<Long, Long> entry : times.descendingMap().entrySet()) {
            if (entry.getValue() <= millis) {
                return entry.getKey();
            }
        }
        return 1;
    }
}
