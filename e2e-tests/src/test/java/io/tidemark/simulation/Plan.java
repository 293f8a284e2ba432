package io.tidemark.simulation;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.Step.KeyWrite;
import io.tidemark.simulation.promise.Payload;
import io.tidemark.simulation.promise.Payload.Style;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What happens to the world in one run, made from a seed. */
record Plan(List<Step> steps, long millis) {
    private static final List<String> NAMESPACES = List.of("blue", "green", "red");
    private static final List<String> APPS = List.of("web", "db", "job");

    Plan {
        steps = List.copyOf(steps);
    }

    static Plan of(long seed, long millis, int nodes, int partitions) {
        Maker maker = new Maker(new SplittableRandom(seed), millis, nodes, partitions);
        maker.writes();
        maker.faults();
        maker.steps.sort(Comparator.comparingLong(Step::atMillis));
        return new Plan(maker.steps, millis);
    }

    private static final class Maker {
        private final SplittableRandom random;
        private final long millis;
        private final int nodes;
        private final int partitions;
        private final List<Step> steps = new ArrayList<>();
        private long serial;

        Maker(SplittableRandom random, long millis, int nodes, int partitions) {
            this.random = random;
            this.millis = millis;
            this.nodes = nodes;
            this.partitions = partitions;
        }

        /** Bursts and pauses. */
        private void writes() {
            long at = 0;
            while (at < millis) {
                boolean burst = random.nextInt(3) == 0;
                for (int i = random.nextInt(1, burst ? 40 : 6); i > 0 && at < millis; i--) {
                    at += random.nextLong(burst ? 10 : 400);
                    steps.add(write(at));
                }
                at += random.nextLong(random.nextInt(6) == 0 ? 8_000 : 1_000);
            }
            for (int i = 0; i < millis / 5_000; i++) {
                steps.add(new Step.ExpireLease(random.nextLong(millis)));
                steps.add(new Step.CleanTopic(random.nextLong(millis)));
            }
        }

        private Step write(long at) {
            boolean leased = random.nextInt(8) == 0;
            int keys = random.nextInt(6) == 0 ? random.nextInt(2, 7) : 1;
            Map<Bytes, KeyWrite> writes = new LinkedHashMap<>();
            for (int i = 0; i < keys; i++) {
                KeyWrite write = leased ? event() : keyWrite();
                writes.put(write.key(), write);
            }
            return new Step.Write(at, List.copyOf(writes.values()), leased);
        }

        private KeyWrite event() {
            String name = "e" + random.nextInt(12);
            return new KeyWrite(Bytes.utf8("/registry/events/blue/" + name), object(name));
        }

        private KeyWrite keyWrite() {
            boolean delete = random.nextInt(6) == 0;
            return switch (random.nextInt(20)) {
                case 0 -> raw("/registry/masterleases/10.0.0." + random.nextInt(3), delete);
                case 1 -> raw("/elsewhere/" + random.nextInt(3), delete);
                case 2 -> raw("/registry/secrets/blue/s" + random.nextInt(3), delete);
                case 3 -> broken("/registry/pods/" + pick(NAMESPACES) + "/p" + random.nextInt(4));
                case 4, 5 -> named("/registry/minions/", "n" + random.nextInt(3), delete);
                case 6, 7 -> named("/registry/configmaps/red/", "c" + random.nextInt(4), delete);
                default ->
                        named(
                                "/registry/pods/" + pick(NAMESPACES) + "/",
                                "p" + random.nextInt(4),
                                delete);
            };
        }

        private KeyWrite named(String directory, String name, boolean delete) {
            return new KeyWrite(Bytes.utf8(directory + name), delete ? null : object(name));
        }

        private KeyWrite raw(String key, boolean delete) {
            @Nullable Payload payload = delete ? null : Payload.raw("raw-" + serial++);
            return new KeyWrite(Bytes.utf8(key), payload);
        }

        /** Where an object must be, something that is none. */
        private KeyWrite broken(String key) {
            String text =
                    random.nextBoolean() ? "{\"apiVersion\":\"v1\",\"broken\":" + serial++ : "";
            return new KeyWrite(Bytes.utf8(key), Payload.raw(text));
        }

        private Payload object(String name) {
            Style style = Style.values()[random.nextInt(Style.values().length)];
            return Payload.object(name, Map.of("app", pick(APPS)), serial++, style);
        }

        private void faults() {
            for (int i = random.nextInt((int) (millis / 4_000) + 1); i > 0; i--) {
                steps.add(fault(random.nextLong(millis)));
            }
        }

        private Step fault(long at) {
            int node = random.nextInt(nodes);
            int partition = random.nextInt(partitions);
            return switch (random.nextInt(13)) {
                case 0 -> new Step.BreakWatches(at);
                case 1 -> new Step.CutEtcd(at, random.nextLong(100, 12_000));
                case 2 -> new Step.CutKafka(at, random.nextLong(100, 8_000));
                case 3, 4 -> new Step.CrashConnector(at, random.nextLong(10, 6_000));
                case 5 -> new Step.PauseConnector(at, random.nextLong(100, 15_000));
                case 6 -> new Step.SecondConnector(at);
                case 7 -> new Step.CrashNode(at, node, random.nextLong(10, 4_000));
                case 8 -> new Step.WipeNode(at, node, random.nextLong(10, 4_000));
                case 9 -> new Step.PauseReplica(at, node, partition, random.nextLong(50, 6_000));
                case 10 -> new Step.RewindReplica(at, node, partition, random.nextInt(1, 60));
                case 11 -> new Step.RestoreEtcd(at, random.nextInt(0, 40));
                default -> new Step.CompactEtcd(at, random.nextInt(1, 80));
            };
        }

        private <T> T pick(List<T> from) {
            return from.get(random.nextInt(from.size()));
        }
    }
}
