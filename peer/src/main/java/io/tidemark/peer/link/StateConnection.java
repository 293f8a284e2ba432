package io.tidemark.peer.link;

/** An open connection on which another node sends its states; ending it twice is no error. */
public interface StateConnection {
    /** Number of the wire format that it uses. */
    int version();

    void end();
}
