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
import java.util.ArrayList;
import java.util.List;
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
public final class LiveCatalog implements AutoCloseable {
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
    private volatile long coveredThrough = -1;

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

    @Override
    public void close() {
        thread.close();
    }

    private void step() {
        if (!follower.step() || !(follower.followed() instanceof Followed.Through read)) {
            return;
        }
        if (changed || !ready) {
            publish();
        }
        coveredThrough = read.through();
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

    /**
     * The catalogue with other definitions, such as those of the past. For any thread.
     *
     * @param objects CustomResourceDefinitions as they are stored
     */
    public Catalog with(List<StoredObject> objects) {
        CustomResourceDefinitions others = new CustomResourceDefinitions(prefix);
        objects.stream().filter(StoredObject::isKubernetes).forEach(others::put);
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
