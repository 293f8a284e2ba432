package io.tidemark.query.catalog;

import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangePosition;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.Projection;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.Selection;
import io.tidemark.view.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the mirrored CustomResourceDefinitions of one cluster and holds the catalogue that they
 * make together with the built-in resources.
 *
 * <p>Definitions lie in one directory, so in one partition: its view is read by one thread, first
 * as a whole, then change by change. When the history has moved on, or a new epoch began, it is
 * read as a whole again; until that is done the old catalogue stands.
 *
 * <p>At most {@link CustomResourceDefinitions#MAX_DEFINITIONS} definitions are kept; what lies
 * beyond in key order is not served, and that is logged.
 */
public final class LiveCatalog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveCatalog.class);
    private static final String DIRECTORY = "apiextensions.k8s.io/customresourcedefinitions/";
    private static final int PAGE_OBJECTS = 500;
    private static final int PAGE_BYTES = 8 << 20;

    /** Also looked at without being told, for a partition that moves between copies. */
    private static final long LOOK_MILLIS = 1000;

    private static final long CLOSE_MILLIS = 2000;

    private final UnaryOperator<Resource> refine;
    private final PartitionDirectory directory;
    private final Bytes prefix;
    private final Bytes definitionsPrefix;
    private final List<Resource> builtIn;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Boolean> wakeUps = new ArrayBlockingQueue<>(1);
    private final Thread thread;

    private volatile Catalog current;
    private volatile boolean ready;
    private volatile long coveredThrough = -1;
    private volatile boolean closed;

    // Of the thread that follows:
    private CustomResourceDefinitions definitions;
    private @Nullable PartitionView followed;
    private PartitionView.@Nullable Subscription subscription;
    private long epoch;
    private @Nullable ChangePosition through;
    private boolean changed;

    /**
     * @param prefix of the cluster in etcd, with the slash: {@code /registry/}
     * @param includeSecrets whether Secrets are mirrored, and so are a resource
     */
    public LiveCatalog(PartitionDirectory directory, Bytes prefix, boolean includeSecrets) {
        this(directory, prefix, includeSecrets, resource -> resource);
    }

    /**
     * The same.
     *
     * @param refine what to serve in place of each resource
     */
    public LiveCatalog(
            PartitionDirectory directory,
            Bytes prefix,
            boolean includeSecrets,
            UnaryOperator<Resource> refine) {
        this.refine = refine;
        this.directory = directory;
        this.prefix = prefix;
        this.definitionsPrefix = prefix.concat(Bytes.utf8(DIRECTORY));
        this.definitions = new CustomResourceDefinitions(prefix);
        this.builtIn =
                BuiltInResources.under(prefix).stream()
                        .filter(resource -> includeSecrets || !isSecrets(resource))
                        .toList();
        this.current = FixedCatalog.of(builtIn.stream().map(refine).toList());
        this.thread = Thread.ofPlatform().name("tidemark-catalog").daemon().unstarted(this::run);
    }

    private static boolean isSecrets(Resource resource) {
        return resource.group().isEmpty() && resource.plural().equals("secrets");
    }

    /** Starts to follow; returns at once. */
    public void start() {
        thread.start();
    }

    /** What is served now: the built-in resources at least. */
    public Catalog current() {
        return current;
    }

    /** Whether the definitions have been read once: only then is an unknown resource unknown. */
    public boolean ready() {
        return ready;
    }

    /** Whether everything through the revision is in {@link #current}. */
    public boolean covers(long revision) {
        return coveredThrough >= revision;
    }

    /** Calls {@code listener} after each change, on the thread that follows: it must be quick. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        closed = true;
        wake();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void wake() {
        boolean _ = wakeUps.offer(true); // When one is waiting already, it will do.
    }

    private void run() {
        try {
            while (!closed) {
                step();
                Boolean _ = wakeUps.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            unsubscribe();
        }
    }

    private void step() {
        try {
            int partitions = directory.partitions();
            if (partitions > 0) {
                int owner =
                        new PartitionAssigner(partitions).partitionOfDirectory(definitionsPrefix);
                catchUp(subscribed(directory.view(owner)));
            }
        } catch (RuntimeException e) {
            LOG.warn("Reading the custom resource definitions failed; trying again", e);
            through = null;
        }
    }

    private PartitionView subscribed(PartitionView view) {
        if (view != followed) {
            unsubscribe();
            followed = view;
            subscription = view.onChange(this::wake);
        }
        return view;
    }

    private void unsubscribe() {
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }

    private void catchUp(PartitionView view) {
        PartitionState state = view.state();
        if (!state.ready()) {
            return;
        }
        ChangePosition from = through;
        if (state.epoch() != epoch || from == null) {
            if (!readAll(view, state)) {
                return;
            }
        } else if (!readChanges(view, state, from)) {
            return;
        }
        if (changed || !ready) {
            publish();
        }
        coveredThrough = through == null ? -1 : through.wholeRevision();
    }

    private boolean readAll(PartitionView view, PartitionState state) {
        CustomResourceDefinitions read = new CustomResourceDefinitions(prefix);
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        while (from.isPresent() && !closed) {
            ReadOutcome<ScanPage> outcome =
                    view.scan(
                            new ScanRequest(
                                    definitionsPrefix,
                                    from.get(),
                                    state.watermark(),
                                    Selection.OBJECTS,
                                    PAGE_OBJECTS,
                                    PAGE_BYTES));
            if (!(outcome instanceof ReadOutcome.Served<ScanPage>(ScanPage page))) {
                return false;
            }
            for (StoredObject object : page.objects()) {
                read.put(object, definitions);
            }
            from = page.nextKey();
        }
        definitions = read;
        changed = true;
        epoch = state.epoch();
        through = ChangePosition.endOf(state.watermark());
        return from.isEmpty();
    }

    private boolean readChanges(PartitionView view, PartitionState state, ChangePosition after) {
        ChangePosition from = after;
        while (from.wholeRevision() < state.watermark() && !closed) {
            switch (view.changes(
                    new ChangesRequest(
                            definitionsPrefix,
                            from,
                            state.watermark(),
                            PAGE_OBJECTS,
                            PAGE_BYTES,
                            Projection.WHOLE))) {
                case ReadOutcome.Served<ChangePage>(ChangePage page) -> {
                    page.changes().forEach(this::apply);
                    from = page.through();
                    through = from;
                }
                case ReadOutcome.Expired<ChangePage> _ -> {
                    return readAll(view, view.state());
                }
                case ReadOutcome.TooNew<ChangePage> _,
                        ReadOutcome.ReplicaUnavailable<ChangePage> _ -> {
                    return changed;
                }
            }
        }
        return true;
    }

    private void apply(ObjectChange change) {
        changed = true;
        if (change.current() != null && change.current().isKubernetes()) {
            definitions.put(change.current(), definitions);
        } else {
            definitions.remove(change.key());
        }
    }

    private void publish() {
        List<Resource> all = new ArrayList<>(builtIn);
        all.addAll(definitions.resources());
        all.replaceAll(refine);
        current = FixedCatalog.of(all);
        changed = false;
        ready = true;
        listeners.forEach(Runnable::run);
    }
}
