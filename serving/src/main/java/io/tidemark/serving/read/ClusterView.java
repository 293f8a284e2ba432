package io.tidemark.serving.read;

import io.tidemark.record.Bytes;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadablePage.Unreadable;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Reads all partitions as one store, each read at an exact revision of one history. Reads are
 * stateless: when a replica disappears or lags during a longer read, this waits for it or asks
 * another one.
 *
 * <p>Where a node hides Secrets and only the value shows whether an object is one, a read of parts
 * of objects returns it, and others of its page, as a whole.
 */
public final class ClusterView {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final String REPLICA_LOST = "its replica was lost during the read";

    private final PartitionDirectory directory;
    private final Duration patience;
    private final FanOut fanOut;
    private final SecretFilter secrets;
    private final LongAdder pagesFromMemory = new LongAdder();
    private final LongAdder pagesRead = new LongAdder();

    /** Creates a view that shows Secrets. */
    public ClusterView(PartitionDirectory directory, Duration patience, FanOut fanOut) {
        this(directory, patience, fanOut, SecretFilter.NONE);
    }

    /**
     * @param patience how long one read waits for a replica that can answer it
     * @param fanOut how a read of several partitions asks them
     * @param secrets applied to every read: all client reads pass through here
     */
    public ClusterView(
            PartitionDirectory directory, Duration patience, FanOut fanOut, SecretFilter secrets) {
        this.directory = directory;
        this.patience = patience;
        this.fanOut = fanOut;
        this.secrets = secrets;
    }

    /** Whether a scope is one of Secrets that this node does not show. */
    public boolean hides(KeyScope scope) {
        return secrets.hides(scope);
    }

    /**
     * The version of a key at a revision, if the key existed. A hidden one is {@link
     * StoredObject#isWithheld withheld}.
     */
    public Optional<StoredObject> get(Bytes key, ReadPoint at) throws InterruptedException {
        return get(key, at, Projection.WHOLE);
    }

    /** Like {@link #get(Bytes, ReadPoint)}, with a part of the object. */
    public Optional<StoredObject> get(Bytes key, ReadPoint at, Projection projection)
            throws InterruptedException {
        int partition = at.partitions().first();
        GetRequest request = new GetRequest(key, at.revision(), projection);
        Optional<StoredObject> found = read(partition, at, request);
        if (found.filter(secrets::needsValue).isPresent()) {
            found = read(partition, at, request.with(Projection.WHOLE));
        }
        return found.map(secrets::shown);
    }

    /**
     * The objects of a scope at a revision, in key order over all partitions.
     *
     * @param fromKeyInclusive where to start; {@link Bytes#EMPTY} for the scope's start
     * @param limits of each partition's pages
     */
    public MergedScan scan(
            KeyScope scope,
            Selection selection,
            Bytes fromKeyInclusive,
            ReadPoint at,
            PageLimits limits) {
        return scan(scope, selection, fromKeyInclusive, at, limits, Projection.WHOLE);
    }

    /** The same with a part of each object. */
    public MergedScan scan(
            KeyScope scope,
            Selection selection,
            Bytes fromKeyInclusive,
            ReadPoint at,
            PageLimits limits,
            Projection projection) {
        return scan(
                scope,
                selection,
                fromKeyInclusive,
                at,
                limits,
                projection,
                ReadAllowance.UNLIMITED);
    }

    /** The same within a request's allowance. */
    public MergedScan scan(
            KeyScope scope,
            Selection selection,
            Bytes fromKeyInclusive,
            ReadPoint at,
            PageLimits limits,
            Projection projection,
            ReadAllowance allowance) {
        return new MergedScan(
                this, scope, selection, fromKeyInclusive, at, limits, projection, allowance);
    }

    /** The changes of some partitions after a revision, in order over all of them. */
    public MergedChanges changes(
            PartitionSet partitions,
            Bytes prefix,
            long epoch,
            long afterRevision,
            PageLimits limits) {
        return changes(
                partitions,
                prefix,
                epoch,
                ChangePosition.endOf(afterRevision),
                limits,
                Projection.WHOLE);
    }

    /** The same after any position, with a part of each object. */
    public MergedChanges changes(
            PartitionSet partitions,
            Bytes prefix,
            long epoch,
            ChangePosition after,
            PageLimits limits,
            Projection projection) {
        return new MergedChanges(
                this, partitions, prefix, epoch, after, limits, projection, Bytes.EMPTY);
    }

    /**
     * The changes of whole objects in directories of one name, such as a namespace.
     *
     * @param directory empty for all; changes of others may come too
     */
    public MergedChanges changesIn(
            PartitionSet partitions,
            Bytes prefix,
            Bytes directory,
            long epoch,
            ChangePosition after,
            PageLimits limits) {
        return new MergedChanges(
                this, partitions, prefix, epoch, after, limits, Projection.WHOLE, directory);
    }

    /**
     * The newest revision at a time, over some partitions. They agree except for records that have
     * not reached one of them yet.
     *
     * @param at which partitions, and of which history
     */
    public RevisionAtTime revisionAt(ReadPoint at, long timeMillis) throws InterruptedException {
        OptionalLong revision = OptionalLong.of(Long.MAX_VALUE);
        boolean settled = true;
        long oldestMillis = 0;
        List<Integer> partitions = at.partitions().numbers().boxed().toList();
        for (RevisionAtTime one :
                fanOut.ask(
                        partitions,
                        p ->
                                read(
                                        p,
                                        at,
                                        new RevisionAtRequest(timeMillis),
                                        answer -> !isOfLaggingReplica(answer, at)))) {
            if (one.revision().isEmpty() || revision.isEmpty()) {
                revision = OptionalLong.empty();
            } else if (one.revision().getAsLong() < revision.getAsLong()) {
                revision = one.revision();
            }
            settled &= one.settled();
            oldestMillis = Math.max(oldestMillis, one.oldestMillis());
        }
        return new RevisionAtTime(revision, settled, oldestMillis);
    }

    /**
     * The newest revision of an answer that is not settled is the watermark of the replica that
     * gave it.
     */
    private static boolean isOfLaggingReplica(RevisionAtTime answer, ReadPoint at) {
        return !answer.settled()
                && answer.revision().isPresent()
                && answer.revision().getAsLong() < at.revision();
    }

    /**
     * The next page of the versions of a key. Hidden ones are {@link StoredObject#isWithheld
     * withheld}.
     *
     * @param at the key's partition, and of which history
     */
    public VersionPage versions(
            Bytes key, ReadPoint at, long afterRevision, long throughRevision, PageLimits limits)
            throws InterruptedException {
        VersionsRequest request =
                new VersionsRequest(
                        key, afterRevision, throughRevision, limits.entries(), limits.bytes());
        VersionPage page = read(at.partitions().first(), at, request);
        return new VersionPage(
                page.versions().stream().map(secrets::shown).toList(),
                page.throughRevision(),
                page.floor());
    }

    /**
     * The keys of a scope whose current value should be an object but cannot be parsed.
     * Informational: partitions that do not answer at once are left out.
     *
     * @param max how many at most
     */
    public UnreadablePage unreadable(PartitionSet partitions, KeyScope scope, int max)
            throws InterruptedException {
        List<PartitionView> views =
                partitions
                        .numbers()
                        .mapToObj(directory::view)
                        .filter(view -> view.state().unreadable() > 0)
                        .toList();
        UnreadableRequest request = new UnreadableRequest(scope.key(), max);
        List<Unreadable> found = new ArrayList<>();
        boolean more = false;
        for (ReadOutcome<UnreadablePage> answer : fanOut.ask(views, view -> view.read(request))) {
            if (answer instanceof ReadOutcome.Served<UnreadablePage>(UnreadablePage page)) {
                page.keys().stream()
                        .filter(key -> scope.contains(key.key()))
                        .filter(key -> !secrets.hides(KeyScope.exact(key.key())))
                        .forEach(found::add);
                more |= page.more();
            }
        }
        found.sort(Comparator.comparing(Unreadable::key));
        return found.size() > max
                ? new UnreadablePage(found.subList(0, max), true)
                : new UnreadablePage(found, more);
    }

    ScanPage scanPage(int partition, ReadPoint at, ScanRequest request)
            throws InterruptedException {
        ScanPage page = read(partition, at, request);
        if (page.objects().stream().anyMatch(secrets::needsValue)) {
            page = read(partition, at, request.with(Projection.WHOLE));
        }
        List<StoredObject> shown =
                page.objects().stream().filter(object -> !secrets.hides(object)).toList();
        return new ScanPage(shown, page.nextKey(), page.keysScanned(), page.index());
    }

    FanOut fanOut() {
        return fanOut;
    }

    /**
     * Whether a partition has no changes in a range; true for most partitions at most tide marks.
     */
    boolean hasNoChanges(int partition, long epoch, ChangesRequest request) {
        return directory
                .view(partition)
                .state()
                .hasNoChanges(epoch, request.afterRevision(), request.throughRevision());
    }

    /**
     * One page per partition, in the given order. Pages in memory are taken from there on this
     * thread; only the others wait for a disk or another node, and those that need values, which
     * are read again.
     */
    List<ChangePage> changePages(List<Integer> of, long epoch, ChangesRequest request)
            throws InterruptedException {
        List<Optional<ChangePage>> recent = new ArrayList<>(of.size());
        List<Integer> others = new ArrayList<>();
        for (int partition : of) {
            Optional<ChangePage> page = directory.view(partition).recentChanges(epoch, request);
            recent.add(page);
            if (page.isEmpty()) {
                others.add(partition);
            }
        }
        pagesFromMemory.add(of.size() - others.size());
        pagesRead.add(others.size());
        Iterator<ChangePage> read =
                fanOut.ask(others, partition -> readChanges(partition, epoch, request)).iterator();
        List<ChangePage> pages = new ArrayList<>(of.size());
        for (int i = 0; i < recent.size(); i++) {
            ChangePage page = recent.get(i).orElseGet(read::next);
            if (page.changes().stream().anyMatch(secrets::needsValue)) {
                page = readChanges(of.get(i), epoch, request.with(Projection.WHOLE));
            }
            pages.add(shown(page));
        }
        return pages;
    }

    /** Number of pages of changes that were in memory. */
    public long changePagesFromMemory() {
        return pagesFromMemory.sum();
    }

    /** Number of pages of changes that a store or another node was asked for. */
    public long changePagesRead() {
        return pagesRead.sum();
    }

    /** Pauses after a page that gets no further, because callers ask again at once. */
    private ChangePage readChanges(int partition, long epoch, ChangesRequest request)
            throws InterruptedException {
        ReadPoint at =
                new ReadPoint(PartitionSet.one(partition), epoch, request.afterRevision(), 0);
        ChangePage page = read(partition, at, request);
        if (!request.isCompleteAnswer(page, Long.MAX_VALUE)) {
            Thread.sleep(PAUSE.compareTo(patience) < 0 ? PAUSE : patience);
        }
        return page;
    }

    private ChangePage shown(ChangePage page) {
        List<ObjectChange> shown = new ArrayList<>(page.changes().size());
        for (ObjectChange change : page.changes()) {
            secrets.shown(change).ifPresent(shown::add);
        }
        return new ChangePage(shown, page.through());
    }

    private <T> T read(int partition, ReadPoint at, ReadRequest<T> request)
            throws InterruptedException {
        return read(partition, at, request, _ -> true);
    }

    /**
     * @param isNewEnough false for an answer of a replica that lags
     */
    private <T> T read(
            int partition, ReadPoint at, ReadRequest<T> request, Predicate<T> isNewEnough)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            PartitionView view = directory.view(partition);
            ReadOutcome<T> outcome = view.read(request);
            PartitionState state = view.state();
            // A history may be replaced during a read: an outcome only counts if it was not.
            requireSameHistory(at, state);
            switch (outcome) {
                case ReadOutcome.Served<T>(T value) -> {
                    if (state.epoch() == at.epoch() && isNewEnough.test(value)) {
                        return value;
                    }
                    pauseOrRefuse(deadline, partition, REPLICA_LOST);
                }
                case ReadOutcome.Expired<T>(long floor) -> {
                    if (state.epoch() == at.epoch()) {
                        throw new RevisionExpiredException(at.revision(), floor);
                    }
                    pauseOrRefuse(deadline, partition, REPLICA_LOST);
                }
                case ReadOutcome.TooNew<T>(long watermark) ->
                        pauseOrRefuse(deadline, partition, "its newest replica is at " + watermark);
                case ReadOutcome.ReplicaUnavailable<T>(String why) ->
                        pauseOrRefuse(deadline, partition, why);
            }
        }
    }

    /** Epochs only rise: a lower one is a lost or lagging replica, not another history. */
    private static void requireSameHistory(ReadPoint at, PartitionState state) {
        if (state.epoch() > at.epoch()) {
            throw RevisionExpiredException.replaced(at.epoch(), state.epoch());
        }
    }

    private static void pauseOrRefuse(long deadline, int partition, String why)
            throws InterruptedException {
        if (System.nanoTime() - deadline >= 0) {
            throw StatusErrors.partitionUnavailable(partition, why);
        }
        Thread.sleep(PAUSE);
    }
}
