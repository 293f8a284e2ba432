package io.tidemark.authorization;

import java.util.function.Supplier;

/** What an authorizer says to a request. Its reason is put together when it is read. */
public final class Decision {
    /** The three answers; with several authorizers, the first that has an opinion counts. */
    public enum Verdict {
        ALLOWED,
        DENIED,
        /** Denied, unless another authorizer allows it. */
        NO_OPINION
    }

    private final Verdict verdict;
    private final Supplier<String> reason;

    private Decision(Verdict verdict, Supplier<String> reason) {
        this.verdict = verdict;
        this.reason = reason;
    }

    public static Decision allowed(Supplier<String> reason) {
        return new Decision(Verdict.ALLOWED, reason);
    }

    public static Decision denied(Supplier<String> reason) {
        return new Decision(Verdict.DENIED, reason);
    }

    public static Decision noOpinion(Supplier<String> reason) {
        return new Decision(Verdict.NO_OPINION, reason);
    }

    public Verdict verdict() {
        return verdict;
    }

    public boolean isAllowed() {
        return verdict == Verdict.ALLOWED;
    }

    /** In an API server's words; may be empty. */
    public String reason() {
        return reason.get();
    }

    @Override
    public String toString() {
        return verdict + " " + reason();
    }
}
