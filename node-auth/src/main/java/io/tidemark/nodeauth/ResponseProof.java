package io.tidemark.nodeauth;

/**
 * Proves the chunks of one answer: each MAC covers the request's number, the status, the chunk's
 * index, and whether it is the last. So none can be forged, dropped, moved or cut off.
 *
 * @param key of the session's answers
 * @param number of the request
 * @param status of the answer
 */
record ResponseProof(byte[] key, long number, int status) {
    /** Larger writes are split. */
    static final int MAX_CHUNK = 64 << 10;

    /** Length and MAC of a chunk. */
    static final int OVERHEAD = Integer.BYTES + ProofMac.BYTES;

    /**
     * @param index from 0
     * @param length 0 for the last
     */
    ProofMac chunk(long index, byte[] bytes, int offset, int length) {
        return new ProofMac(key, "answer")
                .number(number)
                .number(status)
                .number(index)
                .bytes(bytes, offset, length);
    }
}
