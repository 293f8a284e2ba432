package io.tidemark.simulation.promise;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.PutSealer;
import io.tidemark.record.secret.PutSealer.Result.Plain;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.ModelFilter.Secrets;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.RevisionChange;
import io.tidemark.simulation.model.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;

/**
 * What the topic's format promises to a consumer of committed records, for one partition that it
 * reads from the beginning. Outside of lists and gaps the records are etcd's changes of this
 * partition: each once, in order, complete at each mark. At the end of a list or gap the table of
 * the newest records is etcd's state. Committed records never end before a mark.
 */
public final class TopicGuarantees {
    private static final ModelFilter EVERYTHING = new ModelFilter(Bytes.EMPTY, false, Map.of());
    private static final String SEALED = " sealed";

    private final int partition;
    private final int partitions;
    private final LongFunction<Optional<EpochHistory>> histories;
    private final Optional<PutSealer> sealer;
    private final ModelFilter content;
    private final Map<Bytes, String> table = new TreeMap<>();
    private final Set<Place> seen = new HashSet<>();
    private final List<Change> sinceMark = new ArrayList<>();
    private Place last = new Place(0, 0);
    private long epoch;
    private long marked;
    private boolean listing;

    /** Whether the cleaner may have removed some of the next records. */
    private boolean incomplete;

    /** Whether some of the records since the last mark may be missing. */
    private boolean missed;

    /** The identity of a change within an epoch. */
    private record Place(long revision, int index) {
        boolean isAfter(Place other) {
            return revision != other.revision ? revision > other.revision : index > other.index;
        }
    }

    /**
     * @param histories the true history of each epoch
     */
    TopicGuarantees(int partition, int partitions, LongFunction<Optional<EpochHistory>> histories) {
        this(partition, partitions, histories, Optional.empty());
    }

    /**
     * @param histories the true history of each epoch
     * @param sealer decrypts Secrets, which must be encrypted; empty where they have no values
     */
    public TopicGuarantees(
            int partition,
            int partitions,
            LongFunction<Optional<EpochHistory>> histories,
            Optional<PutSealer> sealer) {
        this.sealer = sealer;
        this.content = EVERYTHING.with(sealer.isPresent() ? Secrets.SHOWN : Secrets.EMPTY);
        this.partition = partition;
        this.partitions = partitions;
        this.histories = histories;
    }

    /** The next record; returns the promise that it breaks. */
    public Optional<Violation> take(Change change) {
        if (change instanceof TideMark mark) {
            return mark.kind() == TideMark.Kind.LIST_BEGIN ? beginList(mark) : mark(mark);
        }
        if (change.epoch() != epoch) {
            return broken(Promise.NO_TIME_TRAVEL, "%s in epoch %d", change, epoch);
        }
        if (change instanceof Change.Put put && put.value().utf8().contains(Payload.HIDDEN)) {
            return broken(Promise.AUTHORIZED, "%s is a Secret in clear", change);
        }
        sinceMark.add(change);
        switch (change) {
            case Change.Put put -> table.put(put.key(), shown(put));
            case Change.Delete delete -> table.remove(delete.key());
            case TideMark _ -> throw new IllegalArgumentException("a mark");
        }
        return listing ? Optional.empty() : checkPlace(change);
    }

    /**
     * Whether some of the next records may be gone, each superseded by a later one of its key,
     * perhaps behind the next marks.
     */
    public void mayMissSuperseded(boolean now) {
        incomplete = now;
        missed |= now;
    }

    private Optional<Violation> checkPlace(Change change) {
        boolean ofGap = index(change) >= Change.GAP_INDEX;
        Place place = new Place(change.revision(), index(change));
        if (!seen.add(place)) {
            return broken(Promise.UNIQUE, "%s comes twice", change);
        }
        if (change.revision() <= marked) {
            return broken(Promise.BOOKMARKABLE, "%s comes after the mark at %d", change, marked);
        }
        if (!ofGap && !place.isAfter(last)) {
            return broken(Promise.ORDERED, "%s comes after %s", change, last);
        }
        last = ofGap ? last : place;
        return Optional.empty();
    }

    private Optional<Violation> beginList(TideMark mark) {
        Optional<Violation> inside = endOfCommitted();
        if (inside.isPresent()) {
            return inside;
        }
        if (mark.epoch() <= epoch) {
            return broken(Promise.NO_TIME_TRAVEL, "%s after epoch %d", mark, epoch);
        }
        epoch = mark.epoch();
        marked = 0;
        last = new Place(0, 0);
        listing = true;
        table.clear();
        seen.clear();
        return Optional.empty();
    }

    private Optional<Violation> mark(TideMark mark) {
        Optional<EpochHistory> truth = histories.apply(mark.epoch());
        if (mark.epoch() != epoch || truth.isEmpty()) {
            return broken(Promise.NO_TIME_TRAVEL, "%s in epoch %d", mark, epoch);
        }
        if (mark.revision() < marked) {
            return broken(Promise.ORDERED, "%s comes after the mark at %d", mark, marked);
        }
        Optional<Violation> wrong =
                incomplete
                        ? Optional.empty()
                        : mark.kind() == TideMark.Kind.PROGRESS && !missed
                                ? checkChanges(mark, truth.get())
                                : checkTable(mark, truth.get());
        missed = incomplete;
        marked = mark.revision();
        listing = false;
        sinceMark.clear();
        return wrong;
    }

    /** Since the mark before, the partition has every change of etcd's, and no other. */
    private Optional<Violation> checkChanges(TideMark mark, EpochHistory truth) {
        List<String> expected =
                truth.facts(marked, mark.revision()).stream()
                        .filter(fact -> isHere(fact.key()))
                        .map(this::shown)
                        .toList();
        List<String> got = sinceMark.stream().map(this::shown).toList();
        return got.equals(expected)
                ? Optional.empty()
                : broken(Promise.RELIABLE, "%s after %s, not %s", mark, got, expected);
    }

    private Optional<Violation> checkTable(TideMark mark, EpochHistory truth) {
        Map<Bytes, String> expected = new TreeMap<>();
        truth.stateAt(EVERYTHING, mark.revision())
                .forEach((key, version) -> {
                    if (isHere(key)) {
                        expected.put(key, shown(version));
                    }
                });
        return table.equals(expected)
                ? Optional.empty()
                : broken(Promise.SNAPSHOT, "%s with %s, not %s", mark, table, expected);
    }

    /** All records that are committed have been taken; returns the promise that this breaks. */
    public Optional<Violation> endOfCommitted() {
        return listing || !sinceMark.isEmpty()
                ? broken(
                        Promise.ATOMIC,
                        "committed records end with %s, after the mark at %d",
                        sinceMark.isEmpty() ? "the beginning of a list" : sinceMark.getLast(),
                        marked)
                : Optional.empty();
    }

    /** As the format documents it: by the CRC-32C of the key's directory. */
    private boolean isHere(Bytes key) {
        int directory = key.length();
        while (directory > 0 && key.at(directory - 1) != '/') {
            directory--;
        }
        CRC32C crc = new CRC32C();
        crc.update(key.array(), 0, directory);
        return crc.getValue() % partitions == partition;
    }

    private static int index(Change change) {
        return switch (change) {
            case Change.Put put -> put.index();
            case Change.Delete delete -> delete.index();
            case TideMark _ -> 0;
        };
    }

    private String shown(RevisionChange fact) {
        Version current = fact.current();
        String value = current == null ? " deleted" : shown(current);
        return fact.revision() + "/" + fact.index() + " " + fact.key() + value;
    }

    private String shown(Change change) {
        String value = change instanceof Change.Put put ? shown(put) : " deleted";
        return change.revision() + "/" + index(change) + " " + key(change) + value;
    }

    private static Bytes key(Change change) {
        return switch (change) {
            case Change.Put put -> put.key();
            case Change.Delete delete -> delete.key();
            case TideMark _ -> throw new IllegalArgumentException("a mark");
        };
    }

    private String shown(Version of) {
        String life = life(of.revision(), of.createRevision(), of.version(), of.lease());
        return (sealer.isPresent() && of.isSecret() ? SEALED : "") + life + content.shown(of);
    }

    private String shown(Change.Put put) {
        if (put.isEncrypted()) {
            PutSealer.Result opened = sealer.orElseThrow().open(put);
            return SEALED + (opened instanceof Plain(Change.Put plain) ? shown(plain) : opened);
        }
        byte[] value = put.value().array();
        boolean versioned =
                put.contentType() != ContentType.KUBERNETES_JSON
                        || Payload.resourceVersion(value, 0, value.length) == put.revision();
        String life = life(put.revision(), put.createRevision(), put.version(), put.lease());
        return life
                + (versioned ? "" : "resourceVersion is not the revision: ")
                + Payload.normalForm(value, 0, value.length);
    }

    private static String life(long revision, long createRevision, long version, long lease) {
        return " @" + revision + " from " + createRevision + " v" + version + " l" + lease + " ";
    }

    private Optional<Violation> broken(Promise promise, String detail, Object... arguments) {
        String where = "partition %d of the topic: ".formatted(partition);
        return Optional.of(new Violation(promise, where + detail.formatted(arguments)));
    }
}
