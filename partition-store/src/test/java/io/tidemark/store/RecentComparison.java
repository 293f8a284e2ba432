package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.LocalPartitionView;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.read.ScanLimits;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.RecentChanges;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** Compares the changes that a store has in memory with those that it reads from its engine. */
final class RecentComparison {
    private static final int REQUESTS = 12;
    private static final String[] PREFIXES = {"", "/", "/registry/pods/x/", "/none"};
    private static final ScanLimits NO_LIMITS =
            new ScanLimits(
                    Integer.MAX_VALUE,
                    Long.MAX_VALUE,
                    Duration.ofDays(1),
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE);

    private final PartitionView view;
    private final LocalPartitionView fromEngine;
    private final SplittableRandom random;
    private int found;

    RecentComparison(
            PartitionView view,
            KeyValueEngine engine,
            StoreSettings settings,
            SplittableRandom random) {
        this.view = view;
        this.fromEngine =
                new LocalPartitionView(
                        0,
                        engine,
                        settings,
                        ReadExecutor.DIRECT,
                        NO_LIMITS,
                        new RecentChanges(1, 1));
        this.random = random;
    }

    /** Pages that were in memory so far. */
    int found() {
        return found;
    }

    /** The first difference; empty if there is none. */
    String compare() {
        PartitionState state = view.state();
        fromEngine.publish(state);
        for (int i = 0; i < REQUESTS; i++) {
            ChangesRequest request = request(state);
            Optional<ChangePage> recent = view.recentChanges(state.epoch(), request);
            if (recent.isPresent()) {
                found++;
                ReadOutcome<ChangePage> expected = fromEngine.read(request);
                if (!expected.equals(new ReadOutcome.Served<>(recent.get()))) {
                    return "%s is %s in memory, not %s".formatted(request, recent, expected);
                }
            }
            if (view.recentChanges(state.epoch() + 1, request).isPresent()) {
                return "changes of another epoch than " + state;
            }
        }
        return "";
    }

    private ChangesRequest request(PartitionState state) {
        long revision = Math.max(0, state.watermark() + 3 - random.nextInt(25));
        return new ChangesRequest(
                Bytes.utf8(PREFIXES[random.nextInt(PREFIXES.length)]),
                random.nextInt(3) > 0
                        ? ChangePosition.endOf(revision)
                        : new ChangePosition(revision, random.nextInt(4)),
                random.nextBoolean() ? Long.MAX_VALUE : revision + random.nextInt(12),
                random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(5),
                random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(2_000),
                random.nextInt(3) > 0 ? Projection.WHOLE : Projection.METADATA);
    }
}
