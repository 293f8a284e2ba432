package io.tidemark.hostile;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** The results of an attack's connections and requests. Thread-safe. */
final class Tally {
    private final Map<Attack, Map<String, Long>> outcomes = new EnumMap<>(Attack.class);
    private final Map<Attack, Integer> open = new EnumMap<>(Attack.class);

    synchronized void count(Attack attack, String outcome) {
        outcomes.computeIfAbsent(attack, _ -> new TreeMap<>()).merge(outcome, 1L, Long::sum);
    }

    /** How many connections of a kind are open now; the most is kept. */
    synchronized void open(Attack attack, int connections) {
        open.merge(attack, connections, Math::max);
    }

    /** A line for each attack. */
    synchronized String lines() {
        StringBuilder text = new StringBuilder();
        outcomes.forEach((attack, counts) ->
                text.append(attack.word())
                        .append(
                                open.containsKey(attack)
                                        ? " (open at most: " + open.get(attack) + ")"
                                        : "")
                        .append(": ")
                        .append(counts)
                        .append('\n'));
        return text.toString();
    }
}
