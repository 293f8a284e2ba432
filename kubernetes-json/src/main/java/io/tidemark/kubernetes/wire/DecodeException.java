package io.tidemark.kubernetes.wire;

/** Ends the decoding of one value. Without a stack trace, as it reports input, not a bug. */
public final class DecodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final DecodeResult.Refused answer;

    /**
     * @param text what is wrong, for people
     */
    public DecodeException(DecodeResult.Reason reason, String text) {
        super(text, null, false, false);
        this.answer = new DecodeResult.Refused(reason, text);
    }

    /** For a value that contradicts the format. */
    public static DecodeException malformed(String text) {
        return new DecodeException(DecodeResult.Reason.MALFORMED, text);
    }

    /** The same as a result. */
    public DecodeResult.Refused answer() {
        return answer;
    }
}
