package io.tidemark.nodeauth;

import java.nio.ByteBuffer;

/** Verifies a complete answer's chunks. */
final class VerifiedBody {
    private VerifiedBody() {}

    /** Most bytes that a body of this length takes on the wire, when written at once. */
    static long wireBytes(long bytes) {
        return bytes + (bytes / ResponseProof.MAX_CHUNK + 2) * ResponseProof.OVERHEAD;
    }

    /**
     * The body without its proofs.
     *
     * @throws UnverifiedPeerException when a chunk is forged, or the last one is missing
     */
    static byte[] verified(byte[] chunks, ResponseProof proof) throws UnverifiedPeerException {
        ByteBuffer in = ByteBuffer.wrap(chunks);
        byte[] body = new byte[length(chunks)];
        byte[] mac = new byte[ProofMac.BYTES];
        int written = 0;
        for (long index = 0; in.hasRemaining(); index++) {
            int length = in.getInt();
            int at = in.position();
            in.position(at + length).get(mac);
            if (!proof.chunk(index, chunks, at, length).matches(mac)) {
                throw new UnverifiedPeerException("the server's answer has an invalid proof");
            }
            System.arraycopy(chunks, at, body, written, length);
            written += length;
        }
        return body;
    }

    private static int length(byte[] chunks) throws UnverifiedPeerException {
        ByteBuffer in = ByteBuffer.wrap(chunks);
        int total = 0;
        int last = -1;
        while (in.remaining() >= ResponseProof.OVERHEAD && last != 0) {
            last = in.getInt();
            if (last < 0 || last > in.remaining() - ProofMac.BYTES) {
                break;
            }
            total += last;
            in.position(in.position() + last + ProofMac.BYTES);
        }
        if (last != 0 || in.hasRemaining()) {
            throw new UnverifiedPeerException("the server's answer is cut off");
        }
        return total;
    }
}
