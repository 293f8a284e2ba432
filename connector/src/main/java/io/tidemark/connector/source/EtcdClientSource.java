package io.tidemark.connector.source;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdVersion;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeReader;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.record.Bytes;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Implements {@link EtcdSource} with the etcd client. */
public final class EtcdClientSource implements EtcdSource {
    private final EtcdClient client;
    private final Bytes prefix;

    /**
     * A key that every client with access to the prefix may read, and that touches no other key.
     */
    private final Bytes readableKey;

    /** Cluster id of the last {@link #view}; empty before. */
    private volatile OptionalLong viewedCluster = OptionalLong.empty();

    /** Reads the list that the last page belongs to, if that has more pages; used by one caller. */
    private final AtomicReference<@Nullable RangeReader> listing = new AtomicReference<>();

    public EtcdClientSource(EtcdOptions options, Bytes prefix) {
        this.client = new EtcdClient(options);
        this.prefix = prefix;
        this.readableKey = prefix.length() == 0 ? Bytes.wrap(new byte[1]) : prefix;
    }

    @Override
    public EtcdView view() {
        Newest newest = newest();
        viewedCluster = OptionalLong.of(newest.clusterId());
        List<EtcdVersion> versions = client.versions();
        return new EtcdView(
                newest.clusterId(),
                newest.revision(),
                Collections.min(versions).toString(),
                EtcdVersion.progressSupport(versions));
    }

    @Override
    public Newest newest() {
        RangePage page = client.range(RangeRequest.key(readableKey).withKeysOnly());
        return new Newest(page.clusterId(), page.currentRevision());
    }

    @Override
    public long oldestRevision() {
        try {
            return Math.max(1, client.compactRevision(readableKey));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EtcdException(Kind.OTHER, "interrupted", e);
        }
    }

    @Override
    public RangePage list(Bytes fromKeyInclusive, long revision, int limit) {
        RangeReader kept = listing.getAndSet(null);
        if (kept != null && kept.isAt(fromKeyInclusive, revision)) {
            return next(kept, limit);
        }
        if (kept != null) {
            kept.close();
        }
        return next(client.reader(range(fromKeyInclusive, revision)), limit);
    }

    private RangePage next(RangeReader reader, int limit) {
        boolean keep = false;
        try {
            RangePage page = ofViewedCluster(reader.next(limit));
            keep = page.more();
            return page;
        } finally {
            RangeReader unused = keep ? listing.getAndSet(reader) : reader;
            if (unused != null) {
                unused.close();
            }
        }
    }

    @Override
    public RangePage listKeys(Bytes fromKeyInclusive, long revision, int limit) {
        return ofViewedCluster(
                client.range(range(fromKeyInclusive, revision).limit(limit).withKeysOnly()));
    }

    private RangeRequest range(Bytes fromKeyInclusive, long revision) {
        return RangeRequest.range(fromKeyInclusive, prefix.prefixEnd()).at(revision);
    }

    /** All pages of a list must come from one cluster, the one that was viewed before it began. */
    private RangePage ofViewedCluster(RangePage page) {
        OptionalLong viewed = viewedCluster;
        if (viewed.isPresent() && viewed.getAsLong() != page.clusterId()) {
            throw new EtcdException(
                    Kind.OTHER_CLUSTER,
                    "a page came from cluster %x, but the list is of cluster %x"
                            .formatted(page.clusterId(), viewed.getAsLong()),
                    null);
        }
        return page;
    }

    @Override
    public Optional<KeyValue> get(Bytes key, long revision) {
        Bytes readable = key.length() == 0 ? readableKey : key;
        return client.range(RangeRequest.key(readable).at(revision)).keyValues().stream()
                .findFirst();
    }

    /**
     * Starts at the revision, not after it: etcd from 3.4.38, 3.5.22 and 3.6.2 on sends no progress
     * to a watch that starts above its newest revision (20221), until the next write.
     */
    @Override
    public EtcdWatch watch(long revision) {
        // To etcd, 0 means "everything after now".
        return client.watch(WatchRequest.prefix(prefix, Math.max(1, revision)));
    }

    @Override
    public void close() {
        client.close();
    }
}
