package io.tidemark.simulation.cluster;

import io.tidemark.connector.HistoryCheck;
import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.RevisionChange;
import io.tidemark.simulation.model.Version;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.FakeWatchStream;
import io.tidemark.simulation.world.Settings;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connector's access to etcd: turns the fake one's answers and signals into the feed's events.
 */
final class SimulatedSource {
    private static final int PAGE = 3;

    /** More changes than this arrive in parts. */
    private static final int PART = 8;

    private final FakeEtcd etcd;
    private final Consumer<FeedEvent> listener;
    private final Mutation mutation;
    private @Nullable FakeWatchStream stream;
    private @Nullable Signals signals;
    private long history;
    private long viewedCluster;

    SimulatedSource(FakeEtcd etcd, Mutation mutation, Consumer<FeedEvent> listener) {
        this.etcd = etcd;
        this.mutation = mutation;
        this.listener = listener;
    }

    OptionalLong currentRevision() {
        try {
            return OptionalLong.of(etcd.currentRevision());
        } catch (FakeEtcd.Unreachable _) {
            return OptionalLong.empty();
        }
    }

    long clusterId() {
        return etcd.clusterId();
    }

    /** Number of etcd's history when the connector asked for its revision. */
    long history() {
        return history;
    }

    void requestProgress() {
        if (stream != null) {
            stream.requestProgress();
        }
    }

    /** The answer to a request of the feed. */
    FeedEvent ask(FeedEffect question) {
        try {
            long newest = etcd.currentRevision();
            return switch (question) {
                case FeedEffect.ListPage(Bytes from, long revision) -> page(from, revision);
                case FeedEffect.FindOldestRevision _ ->
                        new FeedEvent.OldestRevisionFound(etcd.compactedRevision());
                default -> {
                    history = etcd.historyNumber();
                    viewedCluster = etcd.clusterId();
                    yield new FeedEvent.EtcdChecked(
                            new EtcdView(
                                    etcd.clusterId(), newest, "3.5.16", ProgressSupport.MANUAL));
                }
            };
        } catch (FakeEtcd.Unreachable _) {
            return new FeedEvent.EtcdLost("cut off");
        } catch (FakeEtcd.Compacted _) {
            return new FeedEvent.ListCompacted();
        }
    }

    /** Whether etcd's history is the mirrored one, as the connector detects it. */
    FeedEvent checkHistory(
            ResumePoint.At marked, ChangeBuilder builder, HistoryFingerprint fingerprint) {
        try {
            return new HistoryCheck(new SimulatedEtcdSource(etcd), builder, fingerprint)
                    .check(marked);
        } catch (EtcdException e) {
            return new FeedEvent.EtcdLost("cut off");
        }
    }

    private FeedEvent page(Bytes from, long revision)
            throws FakeEtcd.Unreachable, FakeEtcd.Compacted {
        if (etcd.clusterId() != viewedCluster) {
            return new FeedEvent.EtcdLost("a page of another cluster");
        }
        return new FeedEvent.PageListed(SimulatedEtcdSource.page(etcd, from, revision, PAGE));
    }

    void startWatch(long from) {
        stopWatch();
        signals = new Signals();
        stream = etcd.watch(Settings.PREFIX, mutation.watchFrom(from), signals);
    }

    void stopWatch() {
        if (stream != null) {
            stream.close();
            stream = null;
            signals = null;
        }
    }

    static KeyValue keyValue(Version version) {
        return new KeyValue(
                version.key(),
                version.payload().value(),
                version.createRevision(),
                version.revision(),
                version.version(),
                version.lease());
    }

    private static KeyChange event(RevisionChange fact) {
        return fact.current() == null
                ? new KeyChange.Delete(fact.key(), fact.revision(), null)
                : new KeyChange.Put(keyValue(fact.current()), null);
    }

    /**
     * Turns what the stream delivers into the feed's events. The end of a stopped watch may arrive
     * late; the feed's loop only reads the current watch, so it never sees that end.
     */
    private final class Signals implements FakeWatchStream.Listener {
        private void tell(FeedEvent event) {
            if (signals == this) {
                listener.accept(event);
            }
        }

        @Override
        public void onOpened(long clusterId) {
            tell(new FeedEvent.WatchOpened(clusterId));
        }

        @Override
        public void onChanges(List<RevisionChange> facts) {
            List<KeyChange> events = facts.stream().map(SimulatedSource::event).toList();
            int from = 0;
            for (int i = 1; i < events.size(); i++) {
                boolean begins = events.get(i).revision() > events.get(i - 1).revision();
                if (i - from >= PART) {
                    tell(new FeedEvent.Changed(events.subList(from, i), begins));
                    from = i;
                }
            }
            tell(new FeedEvent.Changed(events.subList(from, events.size())));
        }

        @Override
        public void onProgress(long revision) {
            tell(new FeedEvent.Progressed(revision));
        }

        @Override
        public void onCompacted(long compactedRevision) {
            tell(new FeedEvent.WatchCompacted(compactedRevision));
        }

        @Override
        public void onLost(String why) {
            tell(new FeedEvent.EtcdLost(why));
        }
    }
}
