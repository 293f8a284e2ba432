package io.tidemark.simulation.world;

import io.tidemark.connector.feed.GapPolicy;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.Payload.Style;
import io.tidemark.simulation.world.Step.KeyWrite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run's world and its faults, made from a seed. */
public record Plan(Settings settings, List<Step> steps) {
    private static final List<String> NAMESPACES = List.of("blue", "green", "red");
    private static final List<String> APPS = List.of("web", "db", "job");

    public Plan {
        steps = List.copyOf(steps);
    }

    public static Plan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Settings settings = Settings.of(random);
        Maker maker = new Maker(random, settings);
        maker.writes();
        maker.faults();
        // Drawn last, so that it does not change the other choices of a seed.
        GapPolicy onGap = random.nextInt(3) == 0 ? GapPolicy.BRIDGE : GapPolicy.EXPIRE;
        if (onGap == GapPolicy.BRIDGE) {
            maker.gaps();
        }
        if (random.nextInt(3) == 0) {
            maker.relists();
        }
        switch (random.nextInt(16)) {
            case 0 -> maker.bigRevisions(random.nextInt(6, 12));
            case 1, 2, 3 -> maker.bigRevisions(random.nextInt(1, 4));
            default -> {
                // Every transaction is small.
            }
        }
        if (random.nextInt(6) == 0) {
            maker.fullDisks();
        }
        if (random.nextInt(12) == 0) {
            maker.corruptKeys();
        }
        Settings last = settings.with(onGap);
        if (random.nextInt(3) == 0) {
            last = last.withWatchBytes(random.nextLong(1_000, 20_000));
        }
        if (random.nextInt(3) == 0) {
            last = last.withLimitedRights();
            maker.steps.addAll(RolePlan.steps(random, settings));
        }
        if (random.nextInt(12) == 0) {
            maker.corruptTopic();
        }
        if (random.nextInt(6) == 0) {
            SecretMode[] modes = SecretMode.values();
            last = last.with(modes[random.nextInt(modes.length)]);
            maker.secrets();
        }
        if (random.nextInt(8) == 0) {
            maker.foreignRecords();
        }
        if (random.nextInt(6) == 0) {
            last = last.withListBytes(random.nextLong(1_000, 4_000));
        }
        if (last.limitsRights() && seed % 3 == 1) {
            last = last.withExpiringLogins();
        }
        if (random.nextInt(192) == 0) {
            maker.silentWatches();
        }
        maker.steps.sort(Comparator.comparingLong(Step::atMillis));
        return new Plan(last, maker.steps);
    }

    /** Whether a store may show wrong data until the self-check has found it. */
    public boolean corruptsKeys() {
        return steps.stream().anyMatch(Step.CorruptKey.class::isInstance);
    }

    /** Whether the topic loses records. */
    public boolean corruptsTopic() {
        return steps.stream().anyMatch(Step.CorruptTopic.class::isInstance);
    }

    public Plan with(List<Step> otherSteps) {
        return new Plan(settings, otherSteps);
    }

    public Plan with(Settings otherSettings) {
        return new Plan(otherSettings, steps);
    }

    private static final class Maker {
        private final SplittableRandom random;
        private final Settings settings;
        private final long millis;
        private final List<Step> steps = new ArrayList<>();
        private long serial;

        Maker(SplittableRandom random, Settings settings) {
            this.random = random;
            this.settings = settings;
            this.millis = settings.millis();
        }

        /** Bursts and pauses. */
        private void writes() {
            long at = 0;
            while (at < millis) {
                boolean burst = random.nextInt(3) == 0;
                for (int i = random.nextInt(1, burst ? 30 : 6); i > 0 && at < millis; i--) {
                    at += random.nextLong(burst ? 10 : 400);
                    steps.add(write(at));
                }
                at += random.nextLong(random.nextInt(6) == 0 ? 6_000 : 1_200);
            }
            for (int i = 0; i < millis / 3_000; i++) {
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

        /** A value that is no object, at a key that should hold one. */
        private KeyWrite broken(String key) {
            String text =
                    random.nextBoolean() ? "{\"apiVersion\":\"v1\",\"broken\":" + serial++ : "";
            return new KeyWrite(Bytes.utf8(key), Payload.raw(text));
        }

        private Payload object(String name) {
            Style style = Style.values()[random.nextInt(Style.values().length)];
            return Payload.object(name, Map.of("app", pick(APPS)), serial++, style);
        }

        /** Some separate, some overlapping. */
        private void faults() {
            for (int i = random.nextInt((int) (millis / 3_000) + 2); i > 0; i--) {
                long at = random.nextLong(millis);
                steps.add(fault(at));
                while (random.nextInt(3) == 0) {
                    steps.add(fault(at + random.nextLong(800)));
                }
            }
        }

        /** No connector follows etcd for a while, and etcd compacts. */
        private void gaps() {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                long at = random.nextLong(millis);
                steps.add(new Step.CrashConnector(at, true, random.nextLong(500, 4_000)));
                steps.add(
                        new Step.CompactEtcd(at + random.nextLong(200, 4_500), random.nextInt(6)));
            }
        }

        /** One revision puts and deletes many keys, often during another fault. */
        private void bigRevisions(int count) {
            for (int i = count; i > 0; i--) {
                long at = random.nextLong(millis);
                List<KeyWrite> puts = new ArrayList<>();
                for (int n = random.nextInt(20, 90); n > 0; n--) {
                    String directory = "/registry/pods/" + pick(NAMESPACES) + "/";
                    puts.add(named(directory, "big" + n, false));
                }
                steps.add(new Step.Write(at, puts, false));
                String prefix = random.nextBoolean() ? "" : pick(NAMESPACES) + "/";
                steps.add(
                        new Step.DeleteRange(
                                at + random.nextLong(3_000),
                                Bytes.utf8("/registry/pods/" + prefix)));
                while (random.nextInt(3) == 0) {
                    steps.add(fault(at + random.nextLong(3_500)));
                }
            }
        }

        /** Often during another fault of nodes. */
        private void fullDisks() {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                long at = random.nextLong(millis);
                int node = random.nextInt(settings.nodes());
                steps.add(new Step.FillDisk(at, node, random.nextLong(200, 5_000)));
                if (random.nextInt(3) == 0) {
                    steps.add(toNodes(at + random.nextLong(4_000)));
                }
            }
        }

        /** Some of them are read again, when a node has lost its disk. */
        private void foreignRecords() {
            Step.Malformation[] all = Step.Malformation.values();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                steps.add(
                        new Step.ForeignRecord(
                                random.nextLong(millis),
                                random.nextInt(settings.partitions()),
                                all[random.nextInt(all.length)],
                                i));
            }
            if (random.nextInt(3) == 0) {
                steps.add(toNodes(random.nextLong(millis)));
            }
        }

        /** Mostly shortly before a replica reads it again. */
        private void corruptTopic() {
            for (int i = random.nextInt(1, 3); i > 0; i--) {
                long at = random.nextLong(millis);
                int partition = random.nextInt(settings.partitions());
                steps.add(
                        new Step.CorruptTopic(
                                at, partition, random.nextInt(1, 80), random.nextInt(1, 30)));
                if (random.nextInt(4) > 0) {
                    steps.add(toNodes(at + random.nextLong(1_000)));
                }
                if (random.nextInt(3) > 0) {
                    int node = random.nextInt(settings.nodes());
                    long down = random.nextLong(10, 2_000);
                    steps.add(new Step.CrashNode(at + random.nextLong(2_000), node, true, down));
                }
            }
        }

        /** A connector gives a silent watch up after a minute: such a world lives long. */
        private void silentWatches() {
            for (int i = random.nextInt(1, 3); i > 0; i--) {
                steps.add(new Step.SilenceWatches(random.nextLong(millis)));
            }
        }

        /** Late enough that there are keys. */
        private void corruptKeys() {
            Step.Corruption[] all = Step.Corruption.values();
            steps.add(
                    new Step.CorruptKey(
                            random.nextLong(millis / 3, millis),
                            random.nextInt(settings.nodes()),
                            random.nextInt(settings.partitions()),
                            all[random.nextInt(all.length)]));
        }

        /** Secrets at their own keys, and at keys that hold other objects before and after. */
        private void secrets() {
            for (int i = random.nextInt(5, 40); i > 0; i--) {
                long at = random.nextLong(millis);
                List<KeyWrite> writes = new ArrayList<>(List.of(secret()));
                if (random.nextInt(4) == 0) {
                    writes.add(named("/registry/pods/red/", "p9", false));
                }
                steps.add(new Step.Write(at, writes, false));
            }
        }

        private KeyWrite secret() {
            String own = "s" + random.nextInt(3);
            String other = "p" + random.nextInt(4);
            String namespace = pick(NAMESPACES) + "/";
            return switch (random.nextInt(8)) {
                case 0 -> new KeyWrite(key("secrets/" + namespace + own), null);
                case 1 ->
                        new KeyWrite(
                                key("secrets/" + namespace + own),
                                Payload.raw(
                                        "{\"kind\":\"Secret\",\"data\":%s%d"
                                                .formatted(Payload.HIDDEN, serial++)));
                case 2, 3, 4 -> secret("secrets/" + namespace, own);
                case 5 ->
                        new KeyWrite(key("pods/" + namespace + other), Payload.rawSecret(serial++));
                default -> secret("pods/" + namespace, other);
            };
        }

        private KeyWrite secret(String directory, String name) {
            Map<String, String> labels = Map.of("app", pick(APPS));
            return new KeyWrite(key(directory + name), Payload.secret(name, labels, serial++));
        }

        private static Bytes key(String path) {
            return Settings.PREFIX.concat(Bytes.utf8(path));
        }

        /** Corruption that nodes meet comes at any time, often during another fault. */
        private void relists() {
            for (int i = random.nextInt(1, 3); i > 0; i--) {
                steps.add(new Step.Relist(random.nextLong(millis)));
            }
        }

        private Step fault(long at) {
            return switch (random.nextInt(8)) {
                case 0, 1, 2 -> toEtcd(at);
                case 3 -> new Step.CutKafka(at, random.nextLong(100, 6_000));
                case 4, 5 -> toConnectors(at);
                case 6 -> random.nextInt(3) == 0 ? jump(at) : toLink(at);
                default -> toNodes(at);
            };
        }

        private Step toEtcd(long at) {
            return switch (random.nextInt(7)) {
                case 0 -> new Step.BreakWatches(at);
                case 1 -> new Step.CutEtcd(at, random.nextLong(100, 6_000));
                case 2 -> new Step.SlowEtcd(at, random.nextLong(500, 6_000));
                case 3 ->
                        new Step.LoseHistory(
                                at,
                                random.nextInt(0, 30),
                                Step.Loss.values()[random.nextInt(Step.Loss.values().length)]);
                default -> new Step.CompactEtcd(at, random.nextInt(1, 20));
            };
        }

        private Step toConnectors(long at) {
            return switch (random.nextInt(4)) {
                case 0 -> new Step.CrashConnector(at, true, random.nextLong(10, 5_000));
                case 1 -> new Step.CrashConnector(at, false, random.nextLong(10, 3_000));
                case 2 -> new Step.PauseConnector(at, random.nextLong(100, 6_000));
                default -> new Step.MoveLeadership(at);
            };
        }

        private Step toNodes(long at) {
            int node = random.nextInt(settings.nodes());
            int partition = random.nextInt(settings.partitions());
            return switch (random.nextInt(7)) {
                case 0 -> new Step.CrashNode(at, node, false, random.nextLong(10, 4_000));
                case 1 -> new Step.CrashNode(at, node, false, random.nextLong(10, 15_000));
                case 2 -> new Step.CrashNode(at, node, true, random.nextLong(10, 4_000));
                case 3 -> new Step.PauseNode(at, node, random.nextLong(50, 4_000));
                case 4 -> new Step.PauseReplica(at, node, partition, random.nextLong(50, 4_000));
                case 5 -> new Step.RewindReplica(at, node, partition, random.nextInt(1, 60));
                default -> new Step.MovePartition(at, partition, node);
            };
        }

        private Step toLink(long at) {
            return new Step.DegradeLink(
                    at,
                    random.nextInt(settings.nodes()),
                    random.nextInt(settings.nodes()),
                    random.nextBoolean(),
                    random.nextLong(50, 4_000));
        }

        private Step jump(long at) {
            long margin = settings.clockMarginMillis() / 2;
            Step.Clock clock = Step.Clock.values()[random.nextInt(Step.Clock.values().length)];
            boolean far = clock == Step.Clock.NODE && random.nextBoolean();
            long offset =
                    far
                            ? random.nextLong(3 * settings.lagMillis())
                            : random.nextLong(-margin, margin + 1);
            int machines = clock == Step.Clock.NODE ? settings.nodes() : settings.connectors();
            return new Step.JumpClock(at, clock, random.nextInt(machines), offset);
        }

        private <T> T pick(List<T> from) {
            return from.get(random.nextInt(from.size()));
        }
    }
}
