package io.tidemark.concurrent;

/** A machine's clocks, passed to code that a test runs in virtual time. */
public interface TimeSource {
    /** The clocks of this machine. */
    TimeSource SYSTEM =
            new TimeSource() {
                @Override
                public long nanoTime() {
                    return System.nanoTime();
                }

                @Override
                public long currentTimeMillis() {
                    return System.currentTimeMillis();
                }
            };

    /** As {@link System#nanoTime}: never goes back. */
    long nanoTime();

    /** As {@link System#currentTimeMillis}: may be set to any time. */
    long currentTimeMillis();
}
