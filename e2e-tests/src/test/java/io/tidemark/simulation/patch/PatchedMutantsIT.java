package io.tidemark.simulation.patch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.KnownSeeds;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Checks that faults inside production's classes break the promises that they must. */
@LongTest
class PatchedMutantsIT {
    private static final int MAX_SEEDS = 5_000;
    private static final boolean NIGHTLY = Integer.getInteger("tidemark.seeds", 0) > 0;

    private static final List<Patch> PATCHES =
            Stream.concat(
                            Patch.all().stream(),
                            NIGHTLY ? RarePatches.all().stream() : Stream.empty())
                    .toList();

    private static final KnownSeeds KNOWN = KnownSeeds.read();

    private static final ExecutorService CORES =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

    /** Each thread loads and compiles the classes once for all patches. */
    private static final ThreadLocal<PatchedSimulation> SHARED =
            ThreadLocal.withInitial(PatchedMutantsIT::load);

    /** A person can follow what happens in so many steps. */
    private static final int LONGEST_STORY = 39;

    /**
     * How a patch was caught.
     *
     * @param broken by promise, the first seed that broke it
     */
    private record Detection(Patch patch, Map<String, Long> broken) {
        boolean isCaught() {
            return broken.containsKey(patch.breaks().name());
        }

        String row() {
            Set<String> others = new LinkedHashSet<>(broken.keySet());
            others.remove(patch.breaks().name());
            return "| `%s` | %s | %s | %s | %s |%n"
                    .formatted(
                            patch.place(),
                            patch.does(),
                            patch.breaks(),
                            isCaught() ? broken.get(patch.breaks().name()) : "missed",
                            String.join(", ", others));
        }
    }

    @AfterAll
    static void endThreads() {
        CORES.shutdownNow();
    }

    @Test
    void everyPatchBreaksItsPromise() throws InterruptedException, ExecutionException {
        List<Detection> detections =
                onAllCores(
                        PATCHES.stream()
                                .map(patch -> (Callable<Detection>) () -> hunt(patch))
                                .toList());
        StringBuilder table =
                new StringBuilder("| patch | mistake | promise | seeds | also |%n".formatted());
        Map<String, Long> found = new TreeMap<>();
        for (Detection each : detections) {
            table.append(each.row());
            found.put(
                    each.patch().toString(),
                    each.broken().getOrDefault(each.patch().breaks().name(), 0L));
        }
        System.out.print(table);
        if (!NIGHTLY) {
            KNOWN.printOutdated(found);
        }
        assertThat(detections).allMatch(Detection::isCaught);
    }

    /** Begins with the seed that is known to detect it; then the seeds from 1 on count. */
    private static Detection hunt(Patch patch) throws Exception {
        PatchedSimulation patched = simulation(patch);
        Map<String, Long> broken = patched.hunt(patch, KNOWN.of(patch.toString()), 1);
        Detection detection = new Detection(patch, broken);
        return detection.isCaught() && !NIGHTLY
                ? detection
                : new Detection(patch, patched.hunt(patch, 1, MAX_SEEDS));
    }

    private static PatchedSimulation simulation(Patch patch) throws Exception {
        return isStatic(patch) ? PatchedSimulation.of(patch) : SHARED.get();
    }

    /** Whether it has its effect once, when the class is initialized. */
    private static boolean isStatic(Patch patch) {
        return patch.method().equals("<clinit>");
    }

    private static PatchedSimulation load() {
        try {
            return PatchedSimulation.of(
                    PATCHES.stream().filter(patch -> !isStatic(patch)).toList());
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theStoriesOfFaultsAreShort() throws InterruptedException, ExecutionException {
        List<Callable<Integer>> stories = new ArrayList<>();
        for (String place :
                List.of(
                        "GapWriter.writeDeletes",
                        "BookmarkClock.take",
                        "Coalescer.join",
                        "KafkaChangeSink.open")) {
            Patch patch =
                    PATCHES.stream()
                            .filter(each -> each.place().equals(place))
                            .findFirst()
                            .orElseThrow();
            stories.add(() -> stepsOfStory(patch));
        }
        assertThat(onAllCores(stories)).allMatch(steps -> steps > 0 && steps <= LONGEST_STORY);
    }

    private static int stepsOfStory(Patch patch) throws Exception {
        Long seed = hunt(patch).broken().get(patch.breaks().name());
        assertThat(seed).as(patch.toString()).isNotNull();
        int steps = simulation(patch).story(patch, seed).size();
        System.out.printf("%s: %d steps%n", patch, steps);
        return steps;
    }

    private static <T> List<T> onAllCores(List<Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        List<T> results = new ArrayList<>();
        for (Future<T> done : CORES.invokeAll(tasks)) {
            results.add(done.get());
        }
        return results;
    }
}
