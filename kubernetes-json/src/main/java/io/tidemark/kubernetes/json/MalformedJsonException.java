package io.tidemark.kubernetes.json;

/** The input is not JSON. Without a stack trace, as it reports input, not a bug. */
public final class MalformedJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedJsonException(String problem, int position) {
        super("not JSON: " + problem + " at byte " + position, null, false, false);
    }
}
