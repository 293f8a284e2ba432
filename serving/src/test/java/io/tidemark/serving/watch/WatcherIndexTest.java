package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.serving.watch.event.Transition;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An event reaches exactly the watches that match it before or after the change. */
class WatcherIndexTest {
    private static final WatchLimits LIMITS =
            new WatchLimits(1000, 10, 1 << 20, 1000, 1 << 20, new PageLimits(10, 1 << 20));
    private static final String[] KEYS = {
        "/registry/pods/a/x", "/registry/pods/a/y", "/registry/pods/b/x", "/registry/nodes/x", "/k"
    };

    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void notesExactlyTheMatchingWatches(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        WatcherIndex index = new WatcherIndex();
        List<WatchMailbox> watchers = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            if (random.nextInt(5) == 0 && !watchers.isEmpty()) {
                index.remove(watchers.remove(random.nextInt(watchers.size())));
            } else if (watchers.size() < 60) {
                WatchMailbox watcher = new WatchMailbox(filter(random), LIMITS);
                watchers.add(watcher);
                index.add(watcher);
            }
            ObjectChange change = change(random);
            List<WatcherGroup> touched = new ArrayList<>();
            index.addPending(new EncodedEvent(change), touched);

            assertThat(touched).doesNotHaveDuplicates();
            Map<WatchFilter, Transition> noted = new HashMap<>();
            for (WatcherGroup group : touched) {
                List<QueuedEvent> events = group.takePending(1).events();
                assertThat(events).as("once only").hasSize(1);
                events.getFirst()
                        .delivery()
                        .ifPresent(it -> noted.put(group.filter(), it.transition()));
            }
            Map<WatchFilter, Transition> expected = new HashMap<>();
            for (WatchMailbox watcher : watchers) {
                WatchFilter filter = watcher.filter();
                if (filter.scope().contains(change.key())) {
                    filter.transition(change)
                            .ifPresent(transition -> expected.put(filter, transition));
                }
            }
            assertThat(noted).as("seed %d, %s", seed, change).isEqualTo(expected);
        }
    }

    /** Not in an order by hashes, which differ from one process to the next. */
    @Test
    void findsWatchesInTheOrderInWhichTheyBegan() {
        WatcherIndex index = new WatcherIndex();
        List<WatchMailbox> watchers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Requirement one =
                    new Requirement(
                            Source.LABEL,
                            "app",
                            i % 2 == 0 ? Operator.NOT_IN : Operator.IN,
                            Set.of("v" + i));
            WatchFilter filter =
                    new WatchFilter(
                            KeyScope.directory(Bytes.utf8("/registry/pods/a/")),
                            new Selection(false, List.of(one)),
                            WatchFilter.WITHOUT_VERSIONS);
            watchers.add(new WatchMailbox(filter, LIMITS));
            index.add(watchers.getLast());
        }
        assertThat(index.all()).containsExactlyElementsOf(watchers);
    }

    private static WatchFilter filter(SplittableRandom random) {
        KeyScope scope =
                switch (random.nextInt(5)) {
                    case 0 -> KeyScope.exact(Bytes.utf8(KEYS[random.nextInt(KEYS.length)]));
                    case 1 -> KeyScope.directory(Bytes.utf8("/registry/pods/a/"));
                    case 2 -> KeyScope.directory(Bytes.utf8("/registry/nodes/"));
                    case 3 -> KeyScope.collection(Bytes.utf8("/registry/pods/"));
                    default -> KeyScope.prefix(Bytes.utf8("/registry/p"));
                };
        List<Requirement> requirements = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            boolean label = random.nextBoolean();
            Operator operator =
                    label
                            ? Operator.values()[random.nextInt(4)]
                            : random.nextInt(3) == 0 ? Operator.NOT_IN : Operator.IN;
            requirements.add(
                    new Requirement(
                            label ? Source.LABEL : Source.FIELD,
                            label ? "app" : "spec.nodeName",
                            operator,
                            values(random)));
        }
        return new WatchFilter(
                scope, new Selection(false, requirements), WatchFilter.WITHOUT_VERSIONS);
    }

    private static Set<String> values(SplittableRandom random) {
        Set<String> values = new TreeSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            values.add(value(random));
        }
        return values;
    }

    private static String value(SplittableRandom random) {
        return random.nextInt(5) == 0 ? "" : "v" + random.nextInt(3);
    }

    private static ObjectChange change(SplittableRandom random) {
        Bytes key = Bytes.utf8(KEYS[random.nextInt(KEYS.length)]);
        int sides = random.nextInt(4);
        return new ObjectChange(
                7,
                0,
                key,
                sides == 1 ? null : object(key, random),
                sides == 2 ? null : object(key, random));
    }

    private static StoredObject object(Bytes key, SplittableRandom random) {
        Map<String, String> labels =
                random.nextInt(4) == 0 ? Map.of() : Map.of("app", value(random));
        return StoredObject.encode(
                key,
                Bytes.utf8("{}"),
                ContentType.RAW,
                7,
                1,
                1,
                0,
                "",
                labels,
                Map.of("spec.nodeName", value(random)),
                0);
    }
}
