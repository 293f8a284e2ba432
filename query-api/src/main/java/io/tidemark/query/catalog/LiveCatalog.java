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
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
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
 * The catalogue of built-in resources and of the custom resources that one cluster's mirrored
 * CustomResourceDefinitions declare, kept up to date.
 *
 * <p>All definitions are in one directory and so in one partition. One thread lists them, then
 * reads their changes. When its position is compacted or a new epoch begins, it lists again; until
 * then the old catalogue is served.
 *
 * <p>At most {@link CustomResourceDefinitions#MAX_DEFINITIONS} definitions are kept; further ones
 * in key order are logged and not served.
 */
public final class LiveCatalog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveCatalog.class);
    private static final String DIRECTORY = "apiextensions.k8s.io/customresourcedefinitions/";
    private static final int PAGE_OBJECTS = 500;
    private static final int PAGE_BYTES = 8 << 20;

    /** Polls this often besides notifications, as the partition may move between replicas. */
    private static final long POLL_MILLIS = 1000;

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

    // Only used by the thread:
    private CustomResourceDefinitions definitions;
    private @Nullable PartitionView subscribedView;
    private PartitionView.@Nullable Subscription subscription;
    private long epoch;
    private @Nullable ChangePosition through;
    private boolean changed;

    /**
     * @param prefix of the cluster in etcd, with the slash: {@code /registry/}
     * @param includeSecrets whether Secrets are a served resource
     */
    public LiveCatalog(PartitionDirectory directory, Bytes prefix, boolean includeSecrets) {
        this(directory, prefix, includeSecrets, resource -> resource);
    }

    /**
     * Creates a catalogue that adjusts each resource.
     *
     * @param refine maps each resource to the one to serve
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

    /** Starts the thread; returns at once. */
    public void start() {
        thread.start();
    }

    /** The current catalogue; contains at least the built-in resources. */
    public Catalog current() {
        return current;
    }

    /** Whether the definitions have been read once. Before that, an unknown resource may exist. */
    public boolean ready() {
        return ready;
    }

    /** Whether {@link #current} includes every definition through a revision. */
    public boolean covers(long revision) {
        return coveredThrough >= revision;
    }

    /** Calls {@code listener} after each change, on the catalogue's thread: it must be quick. */
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
        boolean _ = wakeUps.offer(true); // A queued one is enough.
    }

    private void run() {
        try {
            while (!closed) {
                step();
                Boolean _ = wakeUps.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
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
                int partition =
                        new PartitionAssigner(partitions).partitionOfDirectory(definitionsPrefix);
                catchUp(subscribed(directory.view(partition)));
            }
        } catch (RuntimeException e) {
            LOG.warn("Reading the custom resource definitions failed; trying again", e);
            through = null;
        }
    }

    private PartitionView subscribed(PartitionView view) {
        if (view != subscribedView) {
            unsubscribe();
            subscribedView = view;
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
                    view.read(
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
            switch (view.read(
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
