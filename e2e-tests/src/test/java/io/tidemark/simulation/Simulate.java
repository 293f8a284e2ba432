package io.tidemark.simulation;

import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.Plan;
import java.time.Duration;
import java.util.SplittableRandom;

/** The command line of the simulation: see {@code dev/simulate.sh --help}. */
final class Simulate {
    private static final String HELP =
            """
            Runs seeds of the simulation, and holds every promise against each.

              --seeds N     how many (default: as many as the time allows)
              --from S      the first one (default: a random one, printed)
              --minutes M   for how long at most (default: 10)
              --threads T   at the same time (default: one for each core)
              --seed S      this one alone; tells all that happened if it fails
              --trace       with --seed: tells all that happened anyway

            Ends with 1 when a promise was broken. Then it prints how to replay that seed, and a plan
            made as small as it can be that breaks the same promise.
            """;

    private long seeds = Long.MAX_VALUE / 2;
    private long from = new SplittableRandom().nextLong(1L << 40);
    private double minutes = 10;
    private int threads = Runtime.getRuntime().availableProcessors();
    private boolean trace;

    private Simulate() {}

    public static void main(String[] arguments) throws InterruptedException {
        Simulate simulate = new Simulate();
        if (!simulate.understands(arguments)) {
            System.out.print(HELP);
            return;
        }
        System.exit(simulate.run());
    }

    private boolean understands(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            boolean hasValue = i + 1 < arguments.length;
            switch (arguments[i]) {
                case "--trace" -> trace = true;
                case "--seeds", "--from", "--minutes", "--threads", "--seed" -> {
                    if (!hasValue || !set(arguments[i], arguments[++i])) {
                        return false;
                    }
                }
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean set(String name, String value) {
        try {
            switch (name) {
                case "--seeds" -> seeds = Long.parseLong(value);
                case "--from" -> from = Long.parseLong(value);
                case "--minutes" -> minutes = Double.parseDouble(value);
                case "--threads" -> threads = Math.max(1, Integer.parseInt(value));
                default -> {
                    from = Long.parseLong(value);
                    seeds = 1;
                }
            }
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private int run() throws InterruptedException {
        if (trace && seeds == 1) {
            Simulation.Result result = Simulation.run(from, Plan.of(from), Mutation.NONE, true);
            System.out.println(result.plan().settings());
            result.trace().forEach(System.out::println);
        }
        Duration limit = Duration.ofMillis((long) (minutes * 60_000));
        Campaign campaign = new Campaign(from, seeds, limit);
        Simulation.Result failed = campaign.run(threads, System.out::println);
        System.out.printf("%s%n%s", campaign.summary(), campaign.census());
        if (failed == null) {
            System.out.println("all promises kept");
            return 0;
        }
        System.out.println(Campaign.report(failed, Mutation.NONE));
        return 1;
    }
}
