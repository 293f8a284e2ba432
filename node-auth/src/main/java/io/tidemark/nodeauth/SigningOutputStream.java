package io.tidemark.nodeauth;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes an answer as chunks of length, bytes, MAC; the last has no bytes. A flush ends a chunk.
 * Without a close the reader detects that the answer is cut off.
 */
final class SigningOutputStream extends OutputStream {
    private static final int FIRST_BUFFER = 4 << 10;

    private final DataOutputStream out;
    private final ResponseProof proof;
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int length;
    private long index;
    private boolean closed;

    SigningOutputStream(OutputStream out, ResponseProof proof) {
        this.out = new DataOutputStream(out);
        this.proof = proof;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        int from = offset;
        int end = offset + count;
        while (from < end) {
            if (length == ResponseProof.MAX_CHUNK) {
                writeChunk();
            }
            int taken = Math.min(end - from, ResponseProof.MAX_CHUNK - length);
            if (length + taken > buffer.length) {
                int needed = Math.max(length + taken, 2 * buffer.length);
                buffer = Arrays.copyOf(buffer, Math.min(needed, ResponseProof.MAX_CHUNK));
            }
            System.arraycopy(bytes, from, buffer, length, taken);
            length += taken;
            from += taken;
        }
    }

    @Override
    public void flush() throws IOException {
        if (length > 0) {
            writeChunk();
        }
        out.flush();
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (length > 0) {
            writeChunk();
        }
        writeChunk();
        out.close();
    }

    private void writeChunk() throws IOException {
        out.writeInt(length);
        out.write(buffer, 0, length);
        out.write(proof.chunk(index++, buffer, 0, length).value());
        length = 0;
    }
}
