package io.tidemark.peer.cluster;

import io.tidemark.view.request.ReadOutcome;
import org.jspecify.annotations.Nullable;

/** Decides which of several outcomes to return when no replica answers a read completely. */
final class RefusalPrecedence {
    private RefusalPrecedence() {}

    /**
     * The stronger outcome: a partial answer, then {@code TooNew}, then {@code Expired} with the
     * lowest floor, then {@code ReplicaUnavailable}.
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
