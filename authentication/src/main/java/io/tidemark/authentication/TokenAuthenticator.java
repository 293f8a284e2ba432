package io.tidemark.authentication;

/** Finds out whose bearer token it is. What it decides by may change at any time. */
public interface TokenAuthenticator {
    /**
     * @param token not empty, of any content
     * @return {@link Authentication.None} if this knows nothing about the token, and another
     *     authenticator may
     * @throws InterruptedException if it had to ask another server
     */
    Authentication authenticate(String token) throws InterruptedException;

    /** As {@link Authenticator#version}. */
    long version();

    /** As {@link Authenticator#onChange}. */
    Runnable onChange(Runnable listener);

    /** As {@link Authenticator#refresh}. */
    void refresh();
}
