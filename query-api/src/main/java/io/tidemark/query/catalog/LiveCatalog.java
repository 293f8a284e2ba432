package io.tidemark.query.catalog;

import io.tidemark.query.follow.DirectoryFollower;
import io.tidemark.query.follow.FollowLimits;
import io.tidemark.query.follow.Followed;
import io.tidemark.query.follow.FollowedContent;
import io.tidemark.query.follow.FollowerThread;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.object.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The catalogue of built-in resources and of the custom resources that one cluster's mirrored
 * CustomResourceDefinitions declare, kept up to date.
 *
 * <p>One thread follows the definitions. While it lists them again, because its position was
 * compacted or a new epoch has begun, the old catalogue is served.
 *
 * <p>At most {@link CustomResourceDefinitions#MAX_DEFINITIONS} definitions are kept; further ones
 * in key order are logged and not served.
 */
public final class LiveCatalog implements CatalogSource, AutoCloseable {
    private static final String DIRECTORY = "apiextensions.k8s.io/customresourcedefinitions/";

    /** Of keys and bytes read; how many definitions are served is bounded by itself. */
    private static final FollowLimits LIMITS = new FollowLimits(100_000, 2L << 30);

    private final Bytes prefix;
    private final UnaryOperator<Resource> refine;
    private final List<Resource> builtIn;
    private final DirectoryFollower follower;
    private final FollowerThread thread;

    private volatile Catalog current;
    private volatile boolean ready;
    private volatile Followed covered = new Followed.Unread();
    private final ReentrantLock coverage = new ReentrantLock();
    private final Condition advanced = coverage.newCondition();

    // Only used by the thread:
    private final CustomResourceDefinitions definitions;
    private boolean changed;

    /**
     * @param prefix of the cluster in etcd, with the slash: {@code /registry/}
     * @param includeSecrets whether Secrets are a served resource
     */
    public LiveCatalog(PartitionDirectory directory, Bytes prefix, boolean includeSecrets) {
        this(directory, prefix, includeSecrets, ServedApis.DEFAULT, resource -> resource);
    }

    /**
     * Creates a catalogue that adjusts each resource.
     *
     * @param apis the built-in resources to serve
     * @param refine maps each resource to the one to serve
     */
    public LiveCatalog(
            PartitionDirectory directory,
            Bytes prefix,
            boolean includeSecrets,
            ServedApis apis,
            UnaryOperator<Resource> refine) {
        this.prefix = prefix;
        this.refine = refine;
        this.definitions = new CustomResourceDefinitions(prefix);
        this.builtIn =
                BuiltInResources.all(prefix).stream()
                        .filter(apis::contains)
                        .filter(resource -> includeSecrets || !isSecrets(resource))
                        .toList();
        this.current = FixedCatalog.of(builtIn.stream().map(refine).toList());
        this.follower =
                new DirectoryFollower(
                        "custom resource definitions",
                        directory,
                        List.of(scope(prefix)),
                        LIMITS,
                        new Definitions(),
                        System::nanoTime);
        this.thread = new FollowerThread("tidemark-catalog", directory, follower, this::step);
    }

    /** The keys of the definitions of a cluster. */
    public static KeyScope scope(Bytes prefix) {
        return KeyScope.directory(prefix.concat(Bytes.utf8(DIRECTORY)));
    }

    private static boolean isSecrets(Resource resource) {
        return resource.group().isEmpty() && resource.plural().equals("secrets");
    }

    /** Starts the thread; returns at once. */
    public void start() {
        thread.start();
    }

    @Override
    public Catalog current() {
        return current;
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public boolean covers(long revision) {
        return covered instanceof Followed.Through read && read.through() >= revision;
    }

    @Override
    public boolean await(long epoch, long revision, Duration patience) throws InterruptedException {
        if (isKnownThrough(epoch, revision)) {
            return true;
        }
        long left = patience.toNanos();
        coverage.lock();
        try {
            while (!isKnownThrough(epoch, revision)) {
                if (left <= 0) {
                    return false;
                }
                left = advanced.awaitNanos(left);
            }
            return true;
        } finally {
            coverage.unlock();
        }
    }

    private boolean isKnownThrough(long epoch, long revision) {
        return switch (covered) {
            case Followed.Unread _ -> false;
            case Followed.TooMuch _ -> true;
            case Followed.Through read ->
                    read.epoch() > epoch || read.epoch() == epoch && read.through() >= revision;
        };
    }

    @Override
    public void close() {
        thread.close();
    }

    private void step() {
        if (!follower.step()) {
            return;
        }
        Followed followed = follower.followed();
        if (followed instanceof Followed.Through && (changed || !ready)) {
            publish();
        }
        coverage.lock();
        try {
            covered = followed;
            advanced.signalAll();
        } finally {
            coverage.unlock();
        }
    }

    /** The definitions; used by the thread only. */
    private final class Definitions implements FollowedContent {
        @Override
        public void put(StoredObject object) {
            changed = true;
            if (object.isKubernetes()) {
                definitions.put(object);
            } else {
                definitions.remove(object.key());
            }
        }

        @Override
        public void delete(Bytes key) {
            changed = true;
            definitions.remove(key);
        }

        @Override
        public void clear() {
            changed = true;
            definitions.clear();
        }
    }

    @Override
    public Catalog with(List<StoredObject> past) {
        CustomResourceDefinitions others = new CustomResourceDefinitions(prefix);
        past.stream().filter(StoredObject::isKubernetes).forEach(others::put);
        return of(others);
    }

    private Catalog of(CustomResourceDefinitions custom) {
        List<Resource> all = new ArrayList<>(builtIn);
        all.addAll(custom.resources());
        all.replaceAll(refine);
        return FixedCatalog.of(all);
    }

    private void publish() {
        current = of(definitions);
        changed = false;
        ready = true;
    }
}
