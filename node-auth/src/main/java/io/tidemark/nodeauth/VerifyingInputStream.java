package io.tidemark.nodeauth;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/**
 * Reads an answer written by a {@link SigningOutputStream}: returns no byte before its chunk is
 * verified.
 */
final class VerifyingInputStream extends InputStream {
    private final DataInputStream in;
    private final ResponseProof proof;
    private final BooleanSupplier stillValid;
    private final Runnable onUnverified;
    private byte[] chunk = {};
    private int position;
    private int length;
    private long index;
    private boolean ended;

    /**
     * @param stillValid whether the secret that signs the answer is still in force
     * @param onUnverified runs before a read throws an {@link UnverifiedPeerException}
     */
    VerifyingInputStream(
            InputStream in,
            ResponseProof proof,
            BooleanSupplier stillValid,
            Runnable onUnverified) {
        this.in = new DataInputStream(in);
        this.proof = proof;
        this.stillValid = stillValid;
        this.onUnverified = onUnverified;
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int given = Math.min(count, length - position);
        System.arraycopy(chunk, position, bytes, offset, given);
        position += given;
        return given;
    }

    /** Whether there are bytes to return. */
    private boolean fill() throws IOException {
        if (position < length) {
            return true;
        }
        if (ended) {
            return false;
        }
        int next = in.readInt();
        if (next < 0 || next > ResponseProof.MAX_CHUNK) {
            throw unverified("the answer has a chunk of %d bytes".formatted(next));
        }
        if (chunk.length < next) {
            chunk = new byte[Math.max(next, Math.min(2 * chunk.length, ResponseProof.MAX_CHUNK))];
        }
        byte[] mac = new byte[ProofMac.BYTES];
        in.readFully(chunk, 0, next);
        in.readFully(mac);
        if (!proof.chunk(index++, chunk, 0, next).matches(mac)) {
            throw unverified("the server's answer has an invalid proof");
        }
        if (!stillValid.getAsBoolean()) {
            throw unverified("the server signs with a secret that is no longer accepted");
        }
        position = 0;
        length = next;
        ended = next == 0;
        return !ended;
    }

    private UnverifiedPeerException unverified(String why) {
        onUnverified.run();
        return new UnverifiedPeerException(why);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
