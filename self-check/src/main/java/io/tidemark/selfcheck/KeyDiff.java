package io.tidemark.selfcheck;

import io.tidemark.digest.KeyRevision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the keys in which two ordered sequences differ. Pure. */
final class KeyDiff {
    private KeyDiff() {}

    /** Keys in order; empty after the last. */
    @FunctionalInterface
    interface Sequence {
        Optional<KeyRevision> next() throws IOException, InterruptedException;
    }

    /** At most {@code max} differences; reads no further than needed. */
    static List<Difference> differences(Sequence etcd, Sequence own, int max)
            throws IOException, InterruptedException {
        List<Difference> differences = new ArrayList<>();
        Optional<KeyRevision> a = etcd.next();
        Optional<KeyRevision> b = own.next();
        while ((a.isPresent() || b.isPresent()) && differences.size() < max) {
            int order = order(a, b);
            if (order < 0) {
                KeyRevision missing = a.orElseThrow();
                differences.add(new Difference(missing.key(), missing.modRevision(), 0));
            } else if (order > 0) {
                KeyRevision extra = b.orElseThrow();
                differences.add(new Difference(extra.key(), 0, extra.modRevision()));
            } else if (!a.equals(b)) {
                differences.add(
                        new Difference(
                                a.orElseThrow().key(),
                                a.orElseThrow().modRevision(),
                                b.orElseThrow().modRevision()));
            }
            a = order <= 0 ? etcd.next() : a;
            b = order >= 0 ? own.next() : b;
        }
        return differences;
    }

    private static int order(Optional<KeyRevision> a, Optional<KeyRevision> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? 1 : -1;
        }
        return a.get().key().compareTo(b.get().key());
    }
}
