package io.tidemark.serving.watch;

/** Runs the dispatchers of a node's watches: each from its first watch to its last. */
public interface DispatchRunner {
    /** Each on its virtual thread. */
    DispatchRunner THREADS =
            (name, loop) -> Thread.ofVirtual().name(name).start(() -> run(loop))::interrupt;

    /**
     * Starts a dispatcher, and returns at once.
     *
     * @return ends it
     */
    Runnable start(String name, Loop loop);

    private static void run(Loop loop) {
        try {
            while (loop.isCurrent()) {
                if (!loop.turn()) {
                    loop.park();
                }
            }
        } catch (InterruptedException _) {
            // The last watch has left.
        }
    }

    /** One dispatcher's loop. */
    interface Loop {
        /** False once it has ended. */
        boolean isCurrent();

        /**
         * Reads and publishes one page, without a wait for new changes.
         *
         * @return whether there is more to do at once
         */
        boolean turn() throws InterruptedException;

        /** Blocks until there may be more to do, at most for a short time. */
        void park() throws InterruptedException;
    }
}
