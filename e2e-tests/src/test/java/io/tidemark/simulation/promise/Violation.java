package io.tidemark.simulation.promise;

/** A promise that was broken, and where. */
public record Violation(Promise promise, String detail) {
    @Override
    public String toString() {
        return promise + ": " + detail;
    }
}
