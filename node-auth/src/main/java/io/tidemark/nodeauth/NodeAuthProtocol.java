package io.tidemark.nodeauth;

/** Where handshakes are made, and in which header proofs are sent. */
public final class NodeAuthProtocol {
    private static final String ROOT = "/node-auth/v1";

    /** POST: the client's nonce and the audience; answered with a challenge and a proof. */
    public static final String HELLO = ROOT + "/hello";

    /** POST: the same with the challenge and the client's proof; answered with 204. */
    public static final String OPEN = ROOT + "/open";

    /**
     * Of a request: session, number and MAC, with blanks between. Of an answer: that its body is
     * chunks with a MAC each.
     */
    public static final String HEADER = "Tidemark-Proof";

    /** Value of the header in an answer. */
    public static final String CHUNKS = "chunks";

    /** Of a request to {@link #HELLO} or {@link #OPEN}. */
    public static final int MAX_HANDSHAKE_BYTES = 1 << 10;

    private NodeAuthProtocol() {}
}
