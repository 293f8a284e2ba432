package io.tidemark.kubernetes;

/** Ends the decoding of one value. Has no stack trace: it is an answer, not a fault. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Decoded.Refused answer;

    RefusedException(Decoded.Reason reason, String text) {
        super(text, null, false, false);
        this.answer = new Decoded.Refused(reason, text);
    }

    static RefusedException malformed(String text) {
        return new RefusedException(Decoded.Reason.MALFORMED, text);
    }

    Decoded.Refused answer() {
        return answer;
    }
}
