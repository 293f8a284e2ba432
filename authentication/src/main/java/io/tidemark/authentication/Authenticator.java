package io.tidemark.authentication;

/**
 * Finds out who makes a request. What it decides by, such as a file of tokens, may change at any
 * time.
 */
public interface Authenticator {
    /**
     * @throws InterruptedException if it had to ask another server
     */
    Authentication authenticate(Credentials credentials) throws InterruptedException;

    /**
     * Moves whenever the same credentials may be judged otherwise than before; open watches are
     * then authenticated again. Their {@link Authentication.Known#until} ends them besides. Does
     * not block.
     */
    long version();

    /**
     * Calls {@code listener} after {@link #version} moved, on any thread: it must be quick.
     *
     * @return ends the calls
     */
    Runnable onChange(Runnable listener);

    /**
     * Takes up changes, such as those of files. A node calls it every second, so that open watches
     * end although no request comes that would notice the change. It blocks for reads of files at
     * most.
     */
    default void refresh() {}
}
