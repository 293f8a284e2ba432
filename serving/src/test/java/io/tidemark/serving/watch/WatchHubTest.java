package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.serving.testing.MirroredCluster.Op;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchHubTest {
    private static final long FIRST = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String[] NAMESPACES = {"a", "b", "c", "d"};

    /** So small that nearly every watch lags and catches up many times. */
    private static final WatchLimits TINY =
            new WatchLimits(64, 12, 1 << 20, 4, 1 << 20, new PageLimits(3, 1 << 20));

    private final MirroredCluster cluster = new MirroredCluster(4, FIRST);
    private final WatermarkTracker watermarks = new WatermarkTracker(cluster);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofSeconds(3), FanOut.PARALLEL);
    private final WatchHub hub = new WatchHub(view, watermarks, TINY);

    WatchHubTest() {
        watermarks.start();
    }

    @AfterEach
    void stop() {
        hub.close();
        watermarks.close();
    }

    private static KeyScope namespace(String name) {
        return KeyScope.directory(Bytes.utf8("/registry/pods/" + name + "/"));
    }

    private static WatchFilter in(KeyScope scope, Requirement... requirements) {
        return new WatchFilter(
                scope, new Selection(true, List.of(requirements)), WatchFilter.WITHOUT_VERSIONS);
    }

    private static Requirement label(String value) {
        return new Requirement(Source.LABEL, "app", Operator.IN, Set.of(value));
    }

    private static Requirement node(String value) {
        return new Requirement(Source.FIELD, "spec.nodeName", Operator.IN, Set.of(value));
    }

    private static List<WatchFilter> filters() {
        return List.of(
                in(KeyScope.collection(Bytes.utf8("/registry/pods/"))),
                in(KeyScope.collection(Bytes.utf8("/registry/pods/")), label("x")),
                in(KeyScope.collection(Bytes.utf8("/registry/pods/")), node("n1")),
                in(KeyScope.prefix(Bytes.utf8("/registry/"))),
                in(KeyScope.prefix(Bytes.utf8("/registry/pods/b"))),
                in(namespace("a")),
                in(namespace("b"), node("n2"), label("x")),
                in(KeyScope.exact(MirroredCluster.podKey("c", "p1"))));
    }

    /** The recording of one watch. */
    private record Report(WatchFilter filter, long after, List<Seen> seen, long through) {}

    /** One event, or the end of a step: every event through the revision was delivered. */
    private record Seen(long revision, int index, String transition, boolean stepEnd) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 7, 42, 1234, 99991})
    void deliversExactlyTheMatchingHistoryToEveryWatch(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<Future<Report>> watches = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long last = FIRST + 400;
            for (int round = 0; round < 4; round++) {
                for (WatchFilter filter : filters()) {
                    long after = random.nextLong(FIRST, cluster.revision() + 1);
                    long laziness = random.nextLong(0, 3) * 200_000;
                    watches.add(threads.submit(() -> follow(filter, after, last, laziness)));
                    watches.add(threads.submit(() -> followLive(filter, after, last, laziness)));
                }
                for (int i = 0; i < 100; i++) {
                    write(random);
                }
            }
            assertThat(cluster.revision()).isEqualTo(last);
            for (Future<Report> watch : watches) {
                check(watch.get(3, TimeUnit.MINUTES));
            }
        }
        assertThat(hub.watches()).isZero();
        assertThat(hub.laggingWatches()).isZero();
    }

    /** An event arrives before the dispatcher has told that its revision is complete. */
    @Test
    void whatAStepHasReachedTheNextOneReachesToo() throws Exception {
        List<Step> steps = new CopyOnWriteArrayList<>();
        try (Admission admission = hub.admit();
                WatchCursor cursor =
                        watch(admission, in(KeyScope.prefix(Bytes.utf8("/registry/"))), FIRST)) {
            cursor.onArrival(() -> poll(cursor, steps));
            assertThat(cursor.catchUp(System.nanoTime() + PATIENCE.toNanos())).isEmpty();
            cluster.pod("a", "one", Map.of());
            Awaitility.await().until(() -> steps.stream().anyMatch(Step.Events.class::isInstance));
        }
        long through = FIRST;
        for (Step step : steps) {
            long reached =
                    switch (step) {
                        case Step.Events events -> events.throughRevision();
                        case Step.NoEvents quiet -> quiet.throughRevision();
                        case Step.Ended _ -> through;
                    };
            assertThat(reached).isGreaterThanOrEqualTo(through);
            through = reached;
        }
    }

    private static void poll(WatchCursor cursor, List<Step> steps) {
        try {
            cursor.poll().ifPresent(steps::add);
            cursor.poll().ifPresent(steps::add);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void drainsWatchesOneAfterTheOther() throws Exception {
        PartitionSet all = new PartitionSet(0, cluster.partitions());
        WatchFilter filter = filters().getFirst();
        WatchHub many =
                new WatchHub(
                        view,
                        watermarks,
                        new WatchLimits(200, 12, 1 << 20, 4, 1 << 20, TINY.page()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch begun = new CountDownLatch(200);
            Set<Admission> ended = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 200; i++) {
                Future<Boolean> _ =
                        threads.submit(() -> {
                            try (Admission admission = many.admit();
                                    WatchCursor cursor = admission.watch(filter, all, 1, FIRST)) {
                                begun.countDown();
                                while (!admission.ending()) {
                                    Step _ = cursor.next(System.nanoTime() + 60_000_000_000L);
                                }
                                return ended.add(admission);
                            }
                        });
            }
            begun.await();
            WatchHub.Drain drain = many.beginDrain(Duration.ofSeconds(20), new SplittableRandom(1));
            assertThat(drain.next()).isPresent();
            Awaitility.await().until(() -> !ended.isEmpty());
            assertThat(ended).hasSize(1);
            assertThat(many.draining()).isTrue();
            many.drain(Duration.ZERO);
            Awaitility.await().until(() -> many.watches() == 0);
        }
    }

    /** Writes one revision, mostly of one to five keys; some are larger than the window. */
    private void write(SplittableRandom random) {
        List<Op> ops = new ArrayList<>();
        Set<Bytes> keys = new HashSet<>();
        boolean big = random.nextInt(15) == 0;
        for (int i = big ? random.nextInt(10, 60) : random.nextInt(1, 6); i > 0; i--) {
            String namespace = NAMESPACES[random.nextInt(NAMESPACES.length)];
            String name = "p" + random.nextInt(big ? 20 : 4);
            Bytes key = MirroredCluster.podKey(namespace, name);
            if (!keys.add(key)) {
                continue;
            }
            if (random.nextInt(4) == 0) {
                ops.add(new Op(key, _ -> null));
            } else {
                Map<String, String> labels = Map.of("app", random.nextBoolean() ? "x" : "y");
                String node = "n" + random.nextInt(1, 3);
                ops.add(MirroredCluster.podOp(namespace, name, labels, node));
            }
        }
        cluster.txn(ops);
    }

    private Report follow(WatchFilter filter, long after, long last, long lazinessNanos)
            throws InterruptedException {
        Recorder recorder = new Recorder(after);
        try (Admission admission = hub.admit();
                WatchCursor cursor = watch(admission, filter, after)) {
            while (recorder.through < last) {
                if (recorder.took(cursor.next(System.nanoTime() + 20_000_000))) {
                    LockSupport.parkNanos(lazinessNanos);
                }
            }
        }
        return new Report(filter, after, recorder.seen, recorder.through);
    }

    /** Without waits in the mailbox. Events that have come must have been announced. */
    private Report followLive(WatchFilter filter, long after, long last, long lazinessNanos)
            throws InterruptedException {
        Recorder recorder = new Recorder(after);
        Semaphore arrivals = new Semaphore(0);
        try (Admission admission = hub.admit();
                WatchCursor cursor = watch(admission, filter, after)) {
            cursor.onArrival(arrivals::release);
            boolean more = false;
            while (recorder.through < last) {
                Optional<Step> step;
                if (cursor.isLive()) {
                    boolean announced = more || arrivals.tryAcquire(20, TimeUnit.MILLISECONDS);
                    step = cursor.poll();
                    if (!announced && step.orElse(null) instanceof Step.Events) {
                        assertThat(arrivals.tryAcquire(3, TimeUnit.MINUTES)).isTrue();
                    }
                } else {
                    step = cursor.catchUp(System.nanoTime() + 20_000_000);
                }
                more = step.isPresent() && recorder.took(step.get());
                if (more) {
                    LockSupport.parkNanos(lazinessNanos);
                }
            }
        }
        return new Report(filter, after, recorder.seen, recorder.through);
    }

    private WatchCursor watch(Admission admission, WatchFilter filter, long after) {
        return admission.watch(filter, watermarks.partitionsOf(filter.scope()), 1, after);
    }

    private static final class Recorder {
        private final List<Seen> seen = new ArrayList<>();
        private long through;

        Recorder(long after) {
            this.through = after;
        }

        /** Whether there were events. */
        boolean took(Step step) {
            switch (step) {
                case Step.Events events -> {
                    for (Delivery delivery : events.deliveries()) {
                        seen.add(
                                new Seen(
                                        delivery.revision(),
                                        delivery.event().change().index(),
                                        delivery.transition().name(),
                                        false));
                    }
                    through = events.throughRevision();
                    if (events.isWhole()) {
                        seen.add(new Seen(through, 0, "", true));
                    }
                    return true;
                }
                case Step.NoEvents quiet -> through = Math.max(through, quiet.throughRevision());
                case Step.Ended _ -> throw new IllegalStateException("ended");
            }
            return false;
        }
    }

    private void check(Report report) throws InterruptedException {
        List<Seen> events = report.seen().stream().filter(s -> !s.stepEnd()).toList();
        ordered(report, events);
        unique(report, events);
        atomicAndBookmarkable(report);
        reliableResumableAndFiltered(report, events);
    }

    private static void ordered(Report report, List<Seen> events) {
        for (int i = 1; i < events.size(); i++) {
            assertThat(events.get(i).revision())
                    .as("Ordered: %s", report.filter())
                    .isGreaterThanOrEqualTo(events.get(i - 1).revision());
        }
    }

    private static void unique(Report report, List<Seen> events) {
        assertThat(events).as("Unique: %s", report.filter()).doesNotHaveDuplicates();
    }

    /** After a step, no event at or below its revision follows. */
    private static void atomicAndBookmarkable(Report report) {
        long proven = report.after();
        for (Seen seen : report.seen()) {
            if (seen.stepEnd()) {
                proven = seen.revision();
            } else {
                assertThat(seen.revision())
                        .as("Atomic, Bookmarkable: %s", report.filter())
                        .isGreaterThan(proven);
            }
        }
    }

    /** The recording equals the whole history, read from the stores and filtered. */
    private void reliableResumableAndFiltered(Report report, List<Seen> events)
            throws InterruptedException {
        PartitionSet all = new PartitionSet(0, cluster.partitions());
        var changes =
                view.changes(all, Bytes.EMPTY, 1, report.after(), new PageLimits(100_000, 1 << 30));
        List<Seen> expected = new ArrayList<>();
        for (var change : changes.next(report.through()).changes()) {
            if (report.filter().scope().contains(change.key())) {
                report.filter()
                        .transition(change)
                        .ifPresent(transition ->
                                expected.add(
                                        new Seen(
                                                change.revision(),
                                                change.index(),
                                                transition.name(),
                                                false)));
            }
        }
        assertThat(events)
                .as("Reliable, Resumable, Filtered: %s after %d", report.filter(), report.after())
                .isEqualTo(expected);
    }

    @Test
    void refusesAWatchBelowTheFloor() throws Exception {
        WatchFilter filter = in(namespace("a"));
        try (Admission admission = hub.admit();
                WatchCursor cursor =
                        admission.watch(filter, watermarks.partitionsOf(filter.scope()), 1, 5)) {
            assertThatThrownBy(() -> cursor.next(System.nanoTime()))
                    .isInstanceOf(StatusException.class)
                    .hasMessage("too old resource version: 5 (100)");
        }
    }

    @Test
    void limitsTheNumberOfWatches() {
        List<Admission> taken = new ArrayList<>();
        for (int i = 0; i < TINY.watches(); i++) {
            taken.add(hub.admit());
        }
        assertThatThrownBy(hub::admit).isInstanceOf(StatusException.class);
        taken.forEach(Admission::close);
        hub.admit().close();
    }

    @Test
    void endsWatchesOnANewHistoryAndServesNewOnes() throws Exception {
        WatchFilter filter = in(KeyScope.collection(Bytes.utf8("/registry/pods/")));
        PartitionSet all = watermarks.partitionsOf(filter.scope());
        try (Admission admission = hub.admit();
                WatchCursor cursor = admission.watch(filter, all, 1, FIRST)) {
            cluster.pod("a", "one", Map.of());
            assertThat(cursor.next(in(Duration.ofMinutes(3)))).isInstanceOf(Step.Events.class);
            cluster.relist(true);
            assertThatThrownBy(() -> cursor.next(in(Duration.ofMinutes(3))))
                    .isInstanceOf(StatusException.class)
                    .hasMessageContaining("epoch 2");
        }
        try (Admission admission = hub.admit();
                WatchCursor cursor = admission.watch(filter, all, 2, cluster.revision())) {
            cluster.pod("a", "two", Map.of());
            assertThat(cursor.next(in(Duration.ofMinutes(3)))).isInstanceOf(Step.Events.class);
        }
    }

    private static long in(Duration duration) {
        return System.nanoTime() + duration.toNanos();
    }
}
