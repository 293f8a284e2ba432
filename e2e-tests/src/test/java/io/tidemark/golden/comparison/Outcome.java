package io.tidemark.golden.comparison;

import java.util.List;

/**
 * The result of one recorded row.
 *
 * @param row its id and a description, for people
 * @param deviations those that it needed, or that match it without being needed
 * @param differences what remains after them; empty when all is right
 */
public record Outcome(
        String category,
        String row,
        Verdict verdict,
        List<String> deviations,
        List<String> differences) {
    public enum Verdict {
        SAME,
        DEVIATES,
        DIFFERS
    }
}
