package io.tidemark.simulation.promise;

/** A broken promise, and where. */
public record Violation(Promise promise, String detail) {
    @Override
    public String toString() {
        return promise + ": " + detail;
    }
}
