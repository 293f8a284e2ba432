package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The complete history of one partition, from which it answers every read, slowly. */
final class ReferenceModel {
    private final List<Change> changes = new ArrayList<>();
    private final TreeMap<Bytes, Long> listedAt = new TreeMap<>();
    private long listRevision;

    void list(long revision, List<Change.Put> objects) {
        changes.clear();
        listedAt.clear();
        listRevision = revision;
        objects.forEach(put -> listedAt.put(put.key(), put.revision()));
    }

    void add(Change change) {
        changes.add(change);
    }

    /** Each key's revision as of a revision. */
    TreeMap<Bytes, Long> at(long revision) {
        TreeMap<Bytes, Long> state = new TreeMap<>(listedAt);
        for (Change change : changes) {
            if (change.revision() <= revision) {
                applyTo(state, change);
            }
        }
        return state;
    }

    /** Every key that ever existed. */
    Set<Bytes> keys() {
        Set<Bytes> keys = new TreeSet<>(listedAt.keySet());
        changes.forEach(change -> keys.add(keyOf(change)));
        return keys;
    }

    /** "revision/index key current previous" of each change in (after, through]. */
    List<String> changes(Bytes prefix, long after, long through) {
        List<String> texts = new ArrayList<>();
        Map<Bytes, Long> state = new TreeMap<>(listedAt);
        for (Change change : changes) {
            if (change.revision() > through) {
                break;
            }
            Bytes key = keyOf(change);
            Long before = state.get(key);
            applyTo(state, change);
            Long now = state.get(key);
            boolean happened = before != null || now != null;
            if (happened && change.revision() > after && key.startsWith(prefix)) {
                texts.add(describe(change.revision(), indexOf(change), key, now, before));
            }
        }
        return texts;
    }

    /**
     * "revision step" of each change of a key above the floor, through a revision; before them, the
     * revision of the key's version at the floor.
     */
    List<String> versions(Bytes key, long floor, long through) {
        List<String> texts = new ArrayList<>();
        Long before = at(floor).get(key);
        if (before != null) {
            texts.add(before + " BASE");
        }
        for (Change change : changes) {
            long revision = change.revision();
            if (revision > floor && revision <= through && keyOf(change).equals(key)) {
                boolean put = change instanceof Change.Put;
                if (put || before != null) {
                    texts.add(
                            revision
                                    + (!put
                                            ? " DELETED"
                                            : before == null ? " ADDED" : " MODIFIED"));
                }
                before = put ? Long.valueOf(revision) : null;
            }
        }
        return texts;
    }

    long listRevision() {
        return listRevision;
    }

    static String describe(long revision, int index, Bytes key, Long current, Long previous) {
        return "%d/%d %s %s<-%s".formatted(revision, index, key, current, previous);
    }

    private static void applyTo(Map<Bytes, Long> state, Change change) {
        if (change instanceof Change.Put put) {
            state.put(put.key(), put.revision());
        } else {
            state.remove(keyOf(change));
        }
    }

    static Bytes keyOf(Change change) {
        return switch (change) {
            case Change.Put put -> put.key();
            case Change.Delete delete -> delete.key();
            case Change.TideMark _ -> Bytes.EMPTY;
        };
    }

    static int indexOf(Change change) {
        return switch (change) {
            case Change.Put put -> put.index();
            case Change.Delete delete -> delete.index();
            case Change.TideMark _ -> 0;
        };
    }
}
