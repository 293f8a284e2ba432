package io.tidemark.simulation.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every change of one key, in order of revisions. Most reads are of a recent one. */
final class KeyVersions {
    private final List<@Nullable Version> versions;
    private long[] revisions;

    KeyVersions() {
        this.versions = new ArrayList<>();
        this.revisions = new long[4];
    }

    private KeyVersions(List<@Nullable Version> versions, long[] revisions) {
        this.versions = versions;
        this.revisions = revisions;
    }

    /**
     * A change after all others.
     *
     * @param current null when it deletes the key
     */
    void add(long revision, @Nullable Version current) {
        int count = versions.size();
        if (count > 0 && revisions[count - 1] >= revision) {
            throw new IllegalArgumentException(revision + " after " + revisions[count - 1]);
        }
        if (count == revisions.length) {
            revisions = Arrays.copyOf(revisions, 2 * count);
        }
        revisions[count] = revision;
        versions.add(current);
    }

    /** How many changes are at or before a revision. */
    private int countThrough(long revision) {
        int count = versions.size();
        while (count > 0 && revisions[count - 1] > revision) {
            count--;
        }
        return count;
    }

    /** Null when the key did not exist. */
    @Nullable Version at(long revision) {
        int count = countThrough(revision);
        return count == 0 ? null : versions.get(count - 1);
    }

    boolean changedAt(long revision) {
        int count = countThrough(revision);
        return count > 0 && revisions[count - 1] == revision;
    }

    /** Adds what the changes between two revisions, both exclusive, made of the key. */
    void addBetween(long after, long before, List<Optional<Version>> to) {
        for (int i = countThrough(after), end = countThrough(before - 1); i < end; i++) {
            to.add(Optional.ofNullable(versions.get(i)));
        }
    }

    /** A copy of the changes through a revision. */
    KeyVersions through(long revision) {
        int count = countThrough(revision);
        return new KeyVersions(
                new ArrayList<>(versions.subList(0, count)),
                Arrays.copyOf(revisions, Math.max(4, count)));
    }
}
