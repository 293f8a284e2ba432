package io.tidemark.kubernetes.json;

/** The output would pass its limit. Has no stack trace: it is an answer, not a fault. */
public final class JsonTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JsonTooLargeException(int limit) {
        super("the JSON is larger than " + limit + " bytes", null, false, false);
    }
}
