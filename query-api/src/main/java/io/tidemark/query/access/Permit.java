package io.tidemark.query.access;

import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.status.StatusException;
import java.time.Instant;

/**
 * The right of one request's caller to what the request asks for. It is judged when the request
 * arrives, and again before each newer state that it is served: an answer at revision R obeys the
 * rules as of R or later. A watch keeps its permit until it ends. Thread-safe.
 */
public interface Permit {
    /** Allows everything, for ever. */
    Permit EVERYTHING =
            new Permit() {
                @Override
                public boolean covers(long epoch, long revision) {
                    return true;
                }

                @Override
                public boolean isCurrent() {
                    return true;
                }

                @Override
                public void require() {}

                @Override
                public void requirePast(boolean recent) {}

                @Override
                public boolean allowsUnselected(KeyScope scope) {
                    return true;
                }

                @Override
                public Instant until() {
                    return Instant.MAX;
                }

                @Override
                public Runnable onceCovered(long epoch, long revision, Runnable task) {
                    task.run();
                    return () -> {};
                }

                @Override
                public Runnable onChange(Runnable listener) {
                    return () -> {};
                }
            };

    /**
     * Whether the rules are known as of a revision. If not, {@link #onceCovered} tells when they
     * are. Ask this before {@link #isCurrent}: then the rules that were judged by are as new as the
     * revision. Does not block.
     */
    boolean covers(long epoch, long revision);

    /** Whether neither rules nor credentials changed since they were judged. Does not block. */
    boolean isCurrent();

    /**
     * Judges the request again, unless it {@link #isCurrent}.
     *
     * @throws StatusException 403 if it is not allowed any more, 401 if its credentials ended, 503
     *     if that cannot be decided now
     * @throws InterruptedException if another server had to be asked
     */
    void require() throws InterruptedException;

    /**
     * Judges, now and with each later judgement, also the right to the past of what the request
     * asks for.
     *
     * @param recent whether that past is within an API server's own reach, which only Secrets need
     *     a right for
     * @throws StatusException as {@link #require}
     */
    default void requirePast(boolean recent) throws InterruptedException {
        throw new UnsupportedOperationException("a permit without a right to the past");
    }

    /**
     * Whether the caller may list or watch everything in the scope of the request, and not only
     * what its selectors match. What cannot be read matches no selector: only such a caller may
     * know of it.
     *
     * @return false also if that cannot be decided now
     * @throws InterruptedException if another server had to be asked
     */
    default boolean allowsUnselected(KeyScope scope) throws InterruptedException {
        return false;
    }

    /** When the credentials expire; {@link Instant#MAX} for never. */
    Instant until();

    /**
     * Calls {@code task} once, when the rules are known as of a revision: at once if they are, else
     * later, on any thread. It must be quick.
     *
     * @return makes the call unlikely; one that has begun still ends
     */
    Runnable onceCovered(long epoch, long revision, Runnable task);

    /**
     * Calls {@code listener} after the rules or credentials may have changed, on any thread: it
     * must be quick. That the rules are known as of a later revision is no call.
     *
     * @return ends the calls
     */
    Runnable onChange(Runnable listener);
}
