package io.tidemark.json;

/** The input is not JSON. Without a stack trace, as it reports input, not a bug. */
public final class MalformedJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final int position;

    /**
     * @param position in bytes
     */
    public MalformedJsonException(String problem, int position) {
        super("not JSON: " + problem + " at byte " + position, null, false, false);
        this.problem = problem;
        this.position = position;
    }

    /** The problem without its position. */
    public String problem() {
        return problem;
    }

    public int position() {
        return position;
    }
}
