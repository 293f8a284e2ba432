package io.tidemark.connector.source;

import io.tidemark.connector.source.EtcdView.ProgressSupport;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdException.Kind;
import io.tidemark.etcd.EtcdOptions;
import io.tidemark.etcd.EtcdVersion;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.MemberStatus;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.record.Bytes;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

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

    public EtcdClientSource(EtcdOptions options, Bytes prefix) {
        this.client = new EtcdClient(options);
        this.prefix = prefix;
        this.readableKey = prefix.length() == 0 ? Bytes.wrap(new byte[1]) : prefix;
    }

    @Override
    public EtcdView view() throws EtcdException {
        Newest newest = newest();
        viewedCluster = OptionalLong.of(newest.clusterId());
        return call(() ->
                new EtcdView(
                        newest.clusterId(),
                        newest.revision(),
                        oldestVersion(),
                        switch (client.progressSupport()) {
                            case MANUAL -> ProgressSupport.ON_REQUEST;
                            case PERIODIC -> ProgressSupport.PERIODIC;
                        }));
    }

    private String oldestVersion() {
        return client.endpoints().stream()
                .flatMap(this::status)
                .map(MemberStatus::version)
                .min(
                        Comparator.comparing(version ->
                                EtcdVersion.parse(version).orElse(new EtcdVersion(0, 0, 0))))
                .orElse("unknown");
    }

    private Stream<MemberStatus> status(URI endpoint) {
        try {
            return Stream.of(client.status(endpoint));
        } catch (io.tidemark.etcd.EtcdException _) {
            // An unreachable member serves no requests; the others are asked anyway.
            return Stream.empty();
        }
    }

    @Override
    public Newest newest() throws EtcdException {
        RangePage page = call(() -> client.range(RangeRequest.key(readableKey).withKeysOnly()));
        return new Newest(page.clusterId(), page.currentRevision());
    }

    @Override
    public long oldestRevision() throws EtcdException {
        try {
            RangePage _ =
                    call(() -> client.range(RangeRequest.key(readableKey).at(1).withKeysOnly()));
            return 1;
        } catch (EtcdException.Compacted _) {
            long compacted = call(this::compactRevision);
            if (compacted == 0) {
                throw new EtcdException.Unavailable("etcd did not report its compact revision");
            }
            return compacted;
        }
    }

    private long compactRevision() {
        try {
            return client.compactRevision(readableKey);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new io.tidemark.etcd.EtcdException(Kind.OTHER, "interrupted", e);
        }
    }

    @Override
    public Page list(Bytes fromKeyInclusive, long revision, int limit) throws EtcdException {
        return page(range(fromKeyInclusive, revision, limit), limit);
    }

    @Override
    public Page listKeys(Bytes fromKeyInclusive, long revision, int limit) throws EtcdException {
        return page(range(fromKeyInclusive, revision, limit).withKeysOnly(), limit);
    }

    private RangeRequest range(Bytes fromKeyInclusive, long revision, int limit) {
        return RangeRequest.range(fromKeyInclusive, prefix.prefixEnd()).at(revision).limit(limit);
    }

    private Page page(RangeRequest request, int limit) throws EtcdException {
        RangePage page = call(() -> client.range(request));
        requireViewed(page.clusterId());
        List<EtcdKeyValue> keyValues =
                page.keyValues().stream().map(EtcdClientSource::keyValue).toList();
        return new Page(keyValues, page.more() ? Math.max(1, page.count() - limit) : 0);
    }

    @Override
    public Optional<EtcdKeyValue> get(Bytes key, long revision) throws EtcdException {
        Bytes readable = key.length() == 0 ? readableKey : key;
        RangePage page = call(() -> client.range(RangeRequest.key(readable).at(revision)));
        return page.keyValues().stream().map(EtcdClientSource::keyValue).findFirst();
    }

    /** All pages of a list must come from one cluster, the one that was viewed before it began. */
    private void requireViewed(long clusterId) throws EtcdException {
        OptionalLong viewed = viewedCluster;
        if (viewed.isPresent() && viewed.getAsLong() != clusterId) {
            throw new EtcdException.Unavailable(
                    "a page came from cluster %x, but the list is of cluster %x"
                            .formatted(clusterId, viewed.getAsLong()));
        }
    }

    @Override
    public Watch watch(long fromRevisionInclusive) throws EtcdException {
        return new ClientWatch(
                call(() -> client.watch(WatchRequest.prefix(prefix, fromRevisionInclusive))));
    }

    @Override
    public void close() {
        client.close();
    }

    private static EtcdKeyValue keyValue(KeyValue kv) {
        return new EtcdKeyValue(
                kv.key(),
                kv.value(),
                kv.createRevision(),
                kv.modRevision(),
                kv.version(),
                kv.lease());
    }

    private static EtcdEvent event(KeyChange change) {
        return switch (change) {
            case KeyChange.Put(KeyValue now, _) -> new EtcdEvent.Put(keyValue(now));
            case KeyChange.Delete(Bytes key, long revision, _) ->
                    new EtcdEvent.Delete(key, revision);
        };
    }

    private static <T> T call(Supplier<T> request) throws EtcdException {
        try {
            return request.get();
        } catch (io.tidemark.etcd.EtcdException e) {
            String message = Objects.requireNonNullElse(e.getMessage(), e.kind().name());
            throw switch (e.kind()) {
                case COMPACTED -> new EtcdException.Compacted(message);
                case TOO_LARGE -> new EtcdException.PageTooLarge(message);
                case UNAVAILABLE, FUTURE_REVISION, AUTH, DEADLINE, OTHER ->
                        new EtcdException.Unavailable(message, e);
            };
        }
    }

    private record ClientWatch(EtcdWatch watch) implements Watch {
        @Override
        public Optional<WatchSignal> next(Duration timeout) throws InterruptedException {
            return watch.next(timeout).map(ClientWatch::signal);
        }

        private static WatchSignal signal(WatchEvent event) {
            return switch (event) {
                case WatchEvent.Created(_, long clusterId) -> new WatchSignal.Opened(clusterId);
                case WatchEvent.Changes changes ->
                        new WatchSignal.Changes(
                                changes.changes().stream().map(EtcdClientSource::event).toList(),
                                changes.isWhole());
                case WatchEvent.Progress(long revision) -> new WatchSignal.Progress(revision);
                case WatchEvent.Compacted(long revision) -> new WatchSignal.Compacted(revision);
                case WatchEvent.Failed(io.tidemark.etcd.EtcdException cause) ->
                        new WatchSignal.Broken(String.valueOf(cause.getMessage()));
            };
        }

        @Override
        public void requestProgress() {
            boolean _ = watch.requestProgress();
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
