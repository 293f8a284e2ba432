package io.tidemark.golden;

import java.util.List;

/**
 * How one recorded row fared.
 *
 * @param row its id and what it is, for people
 * @param deviations those that it needed, or that are about it without being needed
 * @param differences what is left after them; empty when all is right
 */
record Outcome(
        String category,
        String row,
        Verdict verdict,
        List<String> deviations,
        List<String> differences) {
    enum Verdict {
        SAME,
        DEVIATES,
        DIFFERS
    }
}
