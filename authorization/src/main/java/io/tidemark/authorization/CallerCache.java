package io.tidemark.authorization;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The grants of callers that have asked lately, in one {@link SubjectIndex}. It belongs to that
 * index, so it never has to forget: another index has another cache.
 *
 * <p>Bounded: a caller has {@link #WAYS} places, which others share. To put a caller's grants
 * together costs several looks at the index, so with more callers than places only every {@link
 * #PATIENCE}th takes the place of another.
 */
final class CallerCache {
    private static final int SETS = 256;
    private static final int WAYS = 4;
    private static final int PATIENCE = 16;

    private final SubjectIndex index;
    private final AtomicReferenceArray<@Nullable CallerGrants> places =
            new AtomicReferenceArray<>(SETS * WAYS);
    private final AtomicInteger refused = new AtomicInteger();

    CallerCache(SubjectIndex index) {
        this.index = index;
    }

    /** Null if the caller's grants are not kept, but looked up. */
    @Nullable CallerGrants of(Caller caller) {
        int first = set(caller) * WAYS;
        for (int place = first; place < first + WAYS; place++) {
            CallerGrants kept = places.getAcquire(place);
            if (kept == null) {
                return keep(caller, place);
            }
            if (kept.areOf(caller)) {
                return kept;
            }
        }
        int turn = refused.incrementAndGet();
        return turn % PATIENCE == 0
                ? keep(caller, first + Math.floorMod(turn / PATIENCE, WAYS))
                : null;
    }

    private @Nullable CallerGrants keep(Caller caller, int place) {
        CallerGrants made = CallerGrants.of(caller, index);
        if (made != null) {
            places.setRelease(place, made);
        }
        return made;
    }

    private static int set(Caller caller) {
        int hash = (caller.name().hashCode() + caller.groups().size()) * 0x9E3779B9;
        return hash >>> Integer.SIZE - Integer.numberOfTrailingZeros(SETS);
    }
}
