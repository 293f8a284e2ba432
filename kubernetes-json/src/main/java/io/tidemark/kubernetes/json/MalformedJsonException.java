package io.tidemark.kubernetes.json;

/** Input that should be JSON is not. Has no stack trace: it is an answer, not a fault. */
public final class MalformedJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedJsonException(String problem, int position) {
        super("not JSON: " + problem + " at byte " + position, null, false, false);
    }
}
