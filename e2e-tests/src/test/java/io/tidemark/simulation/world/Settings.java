package io.tidemark.simulation.world;

import io.tidemark.connector.feed.GapPolicy;
import io.tidemark.record.Bytes;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The size of one simulated world. Its history window is seconds, not hours, so that every run
 * exercises the window's edge. Worlds are small and different, because that finds more bugs than
 * large ones.
 *
 * @param partitions of the topic
 * @param nodes members of the group
 * @param standbys replicas of each partition besides the active one, as far as there are nodes
 * @param connectors of which one leads
 * @param clients that list and watch
 * @param millis how long faults happen
 * @param historyMillis the history window
 * @param lagMillis the topic's min.compaction.lag, at least the window
 * @param deleteRetentionMillis the topic's delete.retention
 * @param segmentRecords records of a segment of the topic
 * @param watchBytes memory that a node's watches may hold, for events and while they catch up
 * @param onGap what connectors do for open watches after a compaction gap
 * @param limitsRights whether nodes let clients read what the mirrored roles allow only
 * @param secrets what connectors and nodes do with Secrets
 * @param listBytes memory that a node's lists may hold until their clients have read them
 * @param expiresLogins whether clients' credentials expire, where rights are limited
 */
public record Settings(
        int partitions,
        int nodes,
        int standbys,
        int connectors,
        int clients,
        long millis,
        long historyMillis,
        long lagMillis,
        long deleteRetentionMillis,
        int segmentRecords,
        long watchBytes,
        GapPolicy onGap,
        boolean limitsRights,
        SecretMode secrets,
        long listBytes,
        boolean expiresLogins) {
    public static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final Bytes SECRETS = Bytes.utf8("/registry/secrets/");

    public static final long TRANSACTION_TIMEOUT_MILLIS = 6_000;
    public static final long COMMIT_MILLIS = 1_500;
    public static final long HEARTBEAT_MILLIS = 1_000;

    /** From one comparison of the replicas with etcd to the next. */
    public static final long SELF_CHECK_MILLIS = 4_000;

    private static final long AMPLE_WATCH_BYTES = 1 << 20;
    private static final long AMPLE_LIST_BYTES = 1 << 20;

    /** How long the world runs without faults before replicas must agree. */
    public static final long QUIET_MILLIS = 5_000;

    /** Within this time a replica that lost a key is found and rebuilt: two intervals, and some. */
    public static final long REPAIR_MILLIS = 12_000;

    /** The world of a seed. */
    public static Settings of(SplittableRandom random) {
        int nodes = random.nextInt(1, 4);
        long history = random.nextLong(6_000, 11_000);
        long lag = history + (random.nextBoolean() ? 0 : random.nextLong(2_000));
        return new Settings(
                random.nextInt(1, 4),
                nodes,
                random.nextInt(nodes),
                random.nextInt(1, 4),
                random.nextInt(1, 5),
                random.nextLong(6_000, 24_000),
                history,
                lag,
                random.nextLong(6_000, 12_000),
                random.nextInt(3, 12),
                AMPLE_WATCH_BYTES,
                GapPolicy.EXPIRE,
                false,
                SecretMode.LEFT_OUT,
                AMPLE_LIST_BYTES,
                false);
    }

    public Settings with(GapPolicy newOnGap) {
        return with(draft -> draft.onGap = newOnGap);
    }

    /** The same with so little memory for watches that their pages shrink. */
    public Settings withWatchBytes(long bytes) {
        return with(draft -> draft.watchBytes = bytes);
    }

    /** The same with nodes that obey the mirrored roles. */
    public Settings withLimitedRights() {
        return with(draft -> draft.limitsRights = true);
    }

    /** The same with Secrets. */
    public Settings with(SecretMode newSecrets) {
        return with(draft -> draft.secrets = newSecrets);
    }

    /** The same with so little memory for lists that some are refused. */
    public Settings withListBytes(long bytes) {
        return with(draft -> draft.listBytes = bytes);
    }

    /** The same with credentials of clients that expire. */
    public Settings withExpiringLogins() {
        return with(draft -> draft.expiresLogins = true);
    }

    /** Whether lists of a node may meet a lack of memory. */
    public boolean limitsLists() {
        return listBytes < AMPLE_LIST_BYTES;
    }

    public boolean bridgesGaps() {
        return onGap == GapPolicy.BRIDGE;
    }

    /** The same with other sizes, for the shrinker. */
    public Settings with(int newNodes, int newConnectors, int newClients, long newMillis) {
        return with(draft -> {
            draft.nodes = newNodes;
            draft.standbys = Math.min(standbys, newNodes - 1);
            draft.connectors = newConnectors;
            draft.clients = newClients;
            draft.millis = newMillis;
        });
    }

    /**
     * A store's settings.
     *
     * @param named whether names have an index: a store that opens with another one rebuilds it
     */
    public StoreSettings store(boolean named) {
        IndexSettings.Field name = new IndexSettings.Field(Bytes.EMPTY, "metadata.name");
        return new StoreSettings(
                        Duration.ofMillis(historyMillis),
                        StoreSettings.DEFAULT_MAX_HISTORY_BYTES,
                        Duration.ofMillis(lagMillis),
                        new IndexSettings(named ? Set.of(name) : Set.of()))
                .withSecretKeys(secrets.keys());
    }

    /** How much clocks may differ without a loss: the stores' tolerance. */
    public long clockMarginMillis() {
        return lagMillis / 10;
    }

    /** Whether the mirror must have a key: those under the prefix, without Secrets. */
    public static boolean isMirrored(Bytes key) {
        return key.startsWith(PREFIX) && !key.startsWith(SECRETS);
    }

    /** The same in this world, where Secrets may be mirrored, too. */
    public boolean mirrors(Bytes key) {
        return secrets.areMirrored() ? key.startsWith(PREFIX) : isMirrored(key);
    }

    private Settings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finished(this);
    }

    /** What the {@code with} methods can change. */
    private static final class Draft {
        private int nodes;
        private int standbys;
        private int connectors;
        private int clients;
        private long millis;
        private long watchBytes;
        private GapPolicy onGap;
        private boolean limitsRights;
        private SecretMode secrets;
        private long listBytes;
        private boolean expiresLogins;

        private Draft(Settings base) {
            nodes = base.nodes;
            standbys = base.standbys;
            connectors = base.connectors;
            clients = base.clients;
            millis = base.millis;
            watchBytes = base.watchBytes;
            onGap = base.onGap;
            limitsRights = base.limitsRights;
            secrets = base.secrets;
            listBytes = base.listBytes;
            expiresLogins = base.expiresLogins;
        }

        private Settings finished(Settings base) {
            return new Settings(
                    base.partitions,
                    nodes,
                    standbys,
                    connectors,
                    clients,
                    millis,
                    base.historyMillis,
                    base.lagMillis,
                    base.deleteRetentionMillis,
                    base.segmentRecords,
                    watchBytes,
                    onGap,
                    limitsRights,
                    secrets,
                    listBytes,
                    expiresLogins);
        }
    }
}
