package io.tidemark.peer.cluster;

import io.tidemark.view.ReadOutcome;
import org.jspecify.annotations.Nullable;

/** Which of several refusals counts, when no copy serves. */
final class RefusalPrecedence {
    private RefusalPrecedence() {}

    /**
     * A copy that is only behind may serve soon, so that is said before all; that it is gone is
     * said when a copy that can be read has said so, with the lowest floor; that a copy cannot be
     * read is the least.
     */
    static <T> ReadOutcome<T> stronger(@Nullable ReadOutcome<T> before, ReadOutcome<T> next) {
        boolean lowerFloor =
                before instanceof ReadOutcome.Expired<T>(long floor)
                        && next instanceof ReadOutcome.Expired<T>(long other)
                        && other < floor;
        return before == null || lowerFloor || strength(next) > strength(before) ? next : before;
    }

    private static int strength(ReadOutcome<?> outcome) {
        return switch (outcome) {
            case ReadOutcome.Served<?> _ -> 3;
            case ReadOutcome.TooNew<?> _ -> 2;
            case ReadOutcome.Expired<?> _ -> 1;
            case ReadOutcome.ReplicaUnavailable<?> _ -> 0;
        };
    }
}
