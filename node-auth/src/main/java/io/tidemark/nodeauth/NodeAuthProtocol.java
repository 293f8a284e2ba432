package io.tidemark.nodeauth;

/** Paths of handshakes, and the header that carries proofs. */
public final class NodeAuthProtocol {
    private static final String ROOT = "/node-auth/v1";

    /** POST: the client's nonce and the audience; answered with a challenge and a proof. */
    public static final String HELLO = ROOT + "/hello";

    /** POST: the same with the challenge and the client's proof; answered with 204. */
    public static final String OPEN = ROOT + "/open";

    /**
     * In a request: session, number and MAC, separated by blanks. In an answer: announces a body of
     * chunks with a MAC each.
     */
    public static final String HEADER = "Tidemark-Proof";

    /** Value of the header in an answer. */
    public static final String CHUNKS = "chunks";

    /** Most bytes of a request to {@link #HELLO} or {@link #OPEN}. */
    public static final int MAX_HANDSHAKE_BYTES = 1 << 10;

    private NodeAuthProtocol() {}
}
