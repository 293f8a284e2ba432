package io.tidemark.serving.watch;

/** The newest revision that a watch may see. */
public sealed interface WatchBound {
    /** None: the watch follows the present. */
    record Present() implements WatchBound {}

    /** One revision of the past. A watch that has reached it has no more events. */
    record Fixed(long revision) implements WatchBound {}

    /** A revision that rises with time. */
    record Moving(Source source) implements WatchBound {
        /** Gives the bound whenever it is asked. */
        @FunctionalInterface
        public interface Source {
            /**
             * The bound by now; never lower than before.
             *
             * @throws io.tidemark.serving.status.StatusException when it cannot be found out
             */
            long revision() throws InterruptedException;
        }
    }
}
