package io.tidemark.simulation.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that faults inside production's classes break the promises that they must. */
class PatchedMutantsIT {
    private static final int MAX_SEEDS = 5_000;
    private static final boolean NIGHTLY = Integer.getInteger("tidemark.seeds", 0) > 0;

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

    @Test
    void everyPatchBreaksItsPromise() throws InterruptedException, ExecutionException {
        List<Detection> detections =
                onAllCores(
                        Stream.concat(
                                        Patch.all().stream(),
                                        NIGHTLY ? RarePatches.all().stream() : Stream.empty())
                                .map(patch -> (Callable<Detection>) () -> hunt(patch))
                                .toList());
        StringBuilder table =
                new StringBuilder("| patch | mistake | promise | seeds | also |%n".formatted());
        detections.forEach(each -> table.append(each.row()));
        System.out.print(table);
        assertThat(detections).allMatch(Detection::isCaught);
    }

    private static Detection hunt(Patch patch) throws Exception {
        return new Detection(patch, new PatchedSimulation(patch).hunt(MAX_SEEDS));
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
                    Patch.all().stream()
                            .filter(each -> each.place().equals(place))
                            .findFirst()
                            .orElseThrow();
            stories.add(() -> stepsOfStory(patch));
        }
        assertThat(onAllCores(stories)).allMatch(steps -> steps > 0 && steps <= LONGEST_STORY);
    }

    private static int stepsOfStory(Patch patch) throws Exception {
        PatchedSimulation patched = new PatchedSimulation(patch);
        Long seed = patched.hunt(MAX_SEEDS).get(patch.breaks().name());
        assertThat(seed).as(patch.toString()).isNotNull();
        int steps = patched.story(seed).size();
        System.out.printf("%s: %d steps%n", patch, steps);
        return steps;
    }

    private static <T> List<T> onAllCores(List<Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        List<T> results = new ArrayList<>();
        try (ExecutorService executor =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (Future<T> done : executor.invokeAll(tasks)) {
                results.add(done.get());
            }
        }
        return results;
    }
}
