package io.tidemark.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Seeds that detected a mistake which few seeds detect. A search that begins with them ends soon; a
 * change of the simulation or of production makes them ordinary seeds.
 */
public final class KnownSeeds {
    private static final String FILE = "/simulation/known-seeds.txt";

    /** A search from 1 on reaches such a seed soon. */
    private static final long NEAR = 10;

    private final Map<String, Long> seeds;

    private KnownSeeds(Map<String, Long> seeds) {
        this.seeds = seeds;
    }

    /** Reads the file, which has a line for each mistake: its seed, a space, and its name. */
    public static KnownSeeds read() {
        try (InputStream in = KnownSeeds.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("no " + FILE);
            }
            return new KnownSeeds(
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .map(line -> line.split(" ", 2))
                            .collect(
                                    Collectors.toMap(
                                            line -> line[1], line -> Long.parseLong(line[0]))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The seed with which the search for this mistake begins; 1 if none is known. */
    public long of(String mistake) {
        return seeds.getOrDefault(mistake, 1L);
    }

    /**
     * Prints the lines with which the file would make the next searches short.
     *
     * @param found by mistake, the seed that ended the search; 0 if none did
     */
    public void printOutdated(Map<String, Long> found) {
        found.forEach((mistake, seed) -> {
            if (seed != of(mistake) && (seed > NEAR || seeds.containsKey(mistake))) {
                System.out.printf(
                        "outdated in known-seeds.txt: %s%n",
                        seed > NEAR ? seed + " " + mistake : "remove " + mistake);
            }
        });
    }

    /** The names of all mistakes with a known seed. */
    public Set<String> mistakes() {
        return seeds.keySet();
    }
}
