package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.read.ScanLimits;
import io.tidemark.view.PartitionState;
import io.tidemark.view.RecentChanges;
import io.tidemark.view.object.ProtobufEncoding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Drives a store with a random topic and compares it with the model after every mark: puts, deletes
 * of existing and missing keys, revisions with many changes, tails that no mark covers yet, repeats
 * of any part of the topic, new lists, gaps, crashes, and a clock that makes the store trim.
 */
final class RandomHistory {
    private static final String[] NAMES = {
        "a", "a\0", "a\0b", "ab", "b", "b/c", "\u00ff", "c0", "c1"
    };
    private static final String[] DIRECTORIES = {"/registry/pods/x/", "/registry/pods/y/", "/z"};
    private static final Duration WINDOW = Duration.ofSeconds(100);

    /** Too long for an index. */
    static final String LONG = "v".repeat(600);

    private record Logged(Change change, long timeMillis) {}

    private final SplittableRandom random;
    private final Map<Bytes, Long> deletedAt = new HashMap<>();
    private final Engines engines;
    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    private final StoreSettings base;
    private final ReadExecutor gate = ReadExecutor.DIRECT;
    private final List<Logged> topic = new ArrayList<>();
    private final ReferenceModel model = new ReferenceModel();
    private final Set<Bytes> existing = new HashSet<>();
    private PartitionStore store;
    private RecentComparison recent;
    private int recentPages;
    private long revision = 10;
    private long marked;
    private long epoch;
    private long unknownAfter;
    private long unknownThrough;
    private String failure = "";
    private Optional<ProtobufEncoding> encoding;
    private int messages;

    RandomHistory(long seed, Engines engines) {
        this.random = new SplittableRandom(seed);
        this.engines = engines;
        this.base =
                new StoreSettings(
                        WINDOW,
                        random.nextBoolean() ? 1L << 40 : 3_000,
                        Duration.ofDays(1),
                        IndexSettings.DEFAULT);
        this.encoding = someEncoding();
        this.store = open(engines.first(encoding.isPresent()));
    }

    private Optional<ProtobufEncoding> someEncoding() {
        return switch (random.nextInt(4)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(new MarkedMessages("other"));
            default -> Optional.of(new MarkedMessages("message"));
        };
    }

    /** With other indexed fields each time. */
    private PartitionStore open(KeyValueEngine engine) {
        Set<IndexSettings.Field> fields = new HashSet<>();
        for (String keys : new String[] {"", "/registry/pods/", "/registry/pods/x/"}) {
            for (String path : new String[] {"spec.nodeName", "spec.size", "metadata.name"}) {
                if (random.nextInt(4) == 0) {
                    fields.add(new IndexSettings.Field(Bytes.utf8(keys), path));
                }
            }
        }
        StoreSettings settings =
                new StoreSettings(
                        base.historyWindow(),
                        base.maxHistoryBytes(),
                        base.compactionLag(),
                        new IndexSettings(fields),
                        Optional.empty(),
                        encoding);
        PartitionStore.prepare(engine, settings, "topic");
        ScanLimits limits =
                new ScanLimits(
                        1 + random.nextInt(20),
                        1 + random.nextInt(2_000),
                        Duration.ofMinutes(1),
                        random.nextInt(12),
                        1 + random.nextInt(30));
        PartitionStore opened =
                new PartitionStore(
                        0,
                        engine,
                        settings,
                        clock,
                        gate,
                        limits,
                        new RecentChanges(1 + random.nextInt(30), 1 + random.nextInt(20_000)),
                        false);
        recent = new RecentComparison(opened.view(), engine, settings, random);
        return opened;
    }

    /** Messages that were compared. */
    int messages() {
        return messages;
    }

    /** How many pages of changes were in memory when they were compared with the engine's. */
    int recentPages() {
        return recentPages;
    }

    /** The first difference; empty if there was none. */
    String run(int steps) {
        list();
        for (int step = 0; step < steps && failure.isEmpty(); step++) {
            switch (random.nextInt(20)) {
                case 0 -> repeat();
                case 1 -> clock.advance(Duration.ofSeconds(random.nextInt(30)));
                case 2 -> restart();
                case 3 -> {
                    if (random.nextInt(10) == 0) {
                        list();
                    }
                }
                case 4 -> {
                    if (random.nextInt(4) == 0) {
                        gap();
                    } else {
                        store.flush();
                    }
                }
                case 5, 6, 7 -> mark();
                default -> changeSome();
            }
        }
        mark();
        rebuild();
        return failure;
    }

    /** A rebuild from nothing must give the same as live changes. */
    private void rebuild() {
        if (failure.isEmpty()) {
            store.reset();
            store.markCaughtUp();
            for (int i = 0; i < topic.size(); i++) {
                apply(i);
            }
            compare();
        }
    }

    /** etcd changes unseen; the connector reconciles the gap, perhaps after an aborted attempt. */
    private void gap() {
        TreeMap<Bytes, Long> before = model.at(revision);
        TreeMap<Bytes, Change.Put> later = new TreeMap<>();
        Set<Bytes> touched = new HashSet<>();
        for (int i = random.nextInt(10); i > 0; i--) {
            Bytes key = randomKey();
            revision += random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(2);
            later.remove(key);
            touched.add(key);
            // etcd does not delete a key and put it in one revision.
            boolean put = revision > marked && deletedAt.getOrDefault(key, 0L) != revision;
            if (random.nextInt(3) > 0 && put) {
                later.put(key, randomPut(key, revision, 0, true));
            }
        }
        revision++;
        List<Change> changes = new ArrayList<>();
        for (Bytes key : new TreeSet<>(touched)) {
            int index = Change.GAP_INDEX + changes.size();
            Change.Put put = later.get(key);
            if (put != null && !Long.valueOf(put.revision()).equals(before.get(key))) {
                changes.add(put.withIndex(index));
            } else if (put == null && before.containsKey(key)) {
                changes.add(new Change.Delete(epoch, revision, index, key));
            }
        }
        reconcile(changes);
    }

    private void reconcile(List<Change> changes) {
        if (random.nextBoolean()) {
            changes.subList(0, random.nextInt(changes.size() + 1)).forEach(this::append);
            compare();
        }
        changes.forEach(this::append);
        compare();
        changes.stream()
                .sorted(
                        Comparator.comparingLong(Change::revision)
                                .thenComparingInt(ReferenceModel::indexOf))
                .forEach(model::add);
        unknownAfter = marked;
        unknownThrough = revision;
        marked = revision;
        boolean bridged = random.nextBoolean();
        append(
                Changes.mark(
                        epoch,
                        revision,
                        bridged ? Change.TideMark.Kind.BRIDGE : Change.TideMark.Kind.GAP));
        compare();
    }

    private void list() {
        if (epoch == 0 || random.nextInt(3) == 0) {
            epoch++;
        }
        revision += random.nextInt(5);
        List<Change.Put> objects = new ArrayList<>();
        existing.clear();
        Set<Bytes> keys = new HashSet<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            keys.add(randomKey());
        }
        for (Bytes key : keys) {
            objects.add(randomPut(key, 1 + random.nextLong(revision), 0, true));
        }
        append(Changes.mark(epoch, revision, Change.TideMark.Kind.LIST_BEGIN));
        objects.forEach(this::append);
        existing.addAll(keys);
        model.list(revision, objects);
        marked = revision;
        append(Changes.mark(epoch, revision, Change.TideMark.Kind.LIST_END));
        compare();
    }

    private void changeSome() {
        revision += 1 + random.nextInt(3);
        int count = random.nextInt(4) == 0 ? 2 + random.nextInt(4) : 1;
        Map<Bytes, Change> inOneRevision = new HashMap<>();
        for (int index = 0; index < count; index++) {
            Bytes key = randomKey();
            Change change =
                    random.nextInt(3) == 0
                            ? new Change.Delete(epoch, revision, index, key)
                            : randomPut(key, revision, index, false);
            if (inOneRevision.putIfAbsent(key, change) == null) {
                model.add(change);
                append(change);
            }
        }
    }

    private void mark() {
        marked = revision;
        append(Changes.mark(epoch, revision, Change.TideMark.Kind.PROGRESS));
        compare();
    }

    private void append(Change change) {
        topic.add(new Logged(change, clock.millis()));
        if (change instanceof Change.Delete delete) {
            deletedAt.put(delete.key(), delete.revision());
        }
        apply(topic.size() - 1);
    }

    private void apply(int offset) {
        Logged logged = topic.get(offset);
        store.apply(logged.change(), offset, logged.timeMillis());
    }

    /** Repeats a random suffix. */
    private void repeat() {
        long watermark = store.state().watermark();
        for (int i = random.nextInt(topic.size()); i < topic.size(); i++) {
            apply(i);
        }
        if (store.state().watermark() < watermark) {
            failure = "watermark fell from %d to %s".formatted(watermark, store.state());
        }
        compare();
    }

    private void restart() {
        boolean close = random.nextBoolean();
        if (close) {
            store.close();
        }
        encoding = someEncoding();
        store = open(engines.afterCrash(close, encoding.isPresent()));
        for (int i = (int) store.appliedOffset() + 1; i < topic.size(); i++) {
            apply(i);
        }
        compare();
    }

    private void compare() {
        PartitionState state = store.state();
        if (!failure.isEmpty()) {
            return;
        }
        int before = recent.found();
        failure = recent.compare();
        recentPages += recent.found() - before;
        if (!failure.isEmpty()) {
            return;
        }
        if (!state.ready() || state.watermark() != marked || state.floor() > marked) {
            failure = "marked %d but %s".formatted(marked, state);
            return;
        }
        StoreComparison comparison = new StoreComparison(store.view(), model, random);
        long from = state.floor();
        failure = comparison.compareAt(from);
        for (int i = 0; i < 6 && failure.isEmpty(); i++) {
            long at = from + random.nextLong(marked - from + 1);
            if (at <= unknownAfter || at >= unknownThrough) {
                failure = comparison.compareAt(at);
            }
        }
        if (failure.isEmpty()) {
            failure = comparison.compareAt(marked);
        }
        if (failure.isEmpty() && random.nextInt(3) == 0) {
            ProtobufComparison forms = new ProtobufComparison(store.view(), encoding, random);
            forms.compareAt(marked, revision == marked);
            if (unknownThrough <= from) {
                forms.compareAt(from + random.nextLong(marked - from + 1), false);
            }
            messages += forms.messages();
        }
    }

    private Bytes randomKey() {
        String directory = DIRECTORIES[random.nextInt(DIRECTORIES.length)];
        return Bytes.utf8(directory + NAMES[random.nextInt(NAMES.length)]);
    }

    private Change.Put randomPut(Bytes key, long at, int index, boolean listed) {
        Map<String, String> labels = new HashMap<>();
        if (random.nextInt(4) > 0) {
            labels.put("app", "v" + random.nextInt(3));
        }
        if (random.nextInt(3) > 0) {
            labels.put("tier", "t" + random.nextInt(2));
        }
        if (random.nextInt(8) == 0) {
            labels.put("app", LONG);
        }
        if (random.nextInt(12) == 0) {
            IntStream.range(0, 70).forEach(i -> labels.put("more-" + i, ""));
        }
        if (random.nextBoolean()) {
            labels.put("size", Integer.toString(random.nextInt(3)));
        }
        labels.put("node", random.nextInt(3) == 0 ? "" : "n" + random.nextInt(3));
        return Changes.put(epoch, key, at, index, listed, Changes.podJson("p", at, labels));
    }
}
