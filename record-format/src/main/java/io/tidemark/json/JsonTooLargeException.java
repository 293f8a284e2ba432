package io.tidemark.json;

/** The output would exceed its limit. Without a stack trace, as it reports input, not a bug. */
public final class JsonTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JsonTooLargeException(int limit) {
        super("the JSON is larger than " + limit + " bytes", null, false, false);
    }
}
