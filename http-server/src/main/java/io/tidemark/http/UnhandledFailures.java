package io.tidemark.http;

import io.javalin.http.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is left of a request that failed where no route handles it. Never throws: Javalin would
 * handle that failure too, and so on without an end.
 */
final class UnhandledFailures {
    private static final Logger LOG = LoggerFactory.getLogger(UnhandledFailures.class);
    private static final int ERROR = 500;

    private UnhandledFailures() {}

    /** Answers 500, unless the response has begun or Jetty has released it. */
    static void answer(RuntimeException failure, Context context) {
        try {
            if (!context.res().isCommitted()) {
                context.status(ERROR);
                LOG.error("a request failed", failure);
                return;
            }
        } catch (RuntimeException released) {
            failure.addSuppressed(released);
        }
        // The client broke the response off while it went on without a thread.
        LOG.debug("a response that is over cannot be completed", failure);
    }
}
