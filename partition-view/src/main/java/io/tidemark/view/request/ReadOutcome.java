package io.tidemark.view.request;

import java.util.function.Function;

/** The outcome of a read at a revision. */
public sealed interface ReadOutcome<T> {
    record Served<T>(T value) implements ReadOutcome<T> {}

    /** The revision lies below the floor: it has been compacted. */
    record Expired<T>(long floor) implements ReadOutcome<T> {}

    /** The revision lies above the watermark: wait, or ask another replica. */
    record TooNew<T>(long watermark) implements ReadOutcome<T> {}

    /** The replica cannot answer (moved away, closed, or not restored yet): ask another. */
    record ReplicaUnavailable<T>(String why) implements ReadOutcome<T> {}

    default <R> ReadOutcome<R> map(Function<? super T, ? extends R> mapper) {
        return switch (this) {
            case Served<T>(T value) -> new Served<>(mapper.apply(value));
            case Expired<T>(long floor) -> new Expired<>(floor);
            case TooNew<T>(long watermark) -> new TooNew<>(watermark);
            case ReplicaUnavailable<T>(String why) -> new ReplicaUnavailable<>(why);
        };
    }
}
