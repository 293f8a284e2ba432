package io.tidemark.simulation;

import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesDecoder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.Mirrored;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.simulation.world.FakeProducer;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connector's way into the topic: production's records, written through a fake producer. */
final class SimulatedSink {
    private static final String TRANSACTIONAL_ID = "tidemark";
    private static final int MAX_RECORD_BYTES = 1 << 20;

    /** How long the broker may be away before a producer gives up on what it sent. */
    private static final long DELIVERY_TIMEOUT_MILLIS = 4_000;

    private final Scheduler scheduler;
    private final FakeTopic topic;
    private final PartitionAssigner assigner;
    private final ChangeBuilder builder;
    private final EpochTable epochs;
    private final CommitClock commits;
    private Consumer<FeedEvent> failed = _ -> {};
    private @Nullable FakeProducer producer;
    private Set<Bytes> ghosts = new HashSet<>();
    private long unreachableSince = -1;

    SimulatedSink(
            Scheduler scheduler,
            FakeTopic topic,
            ParallelMap parallel,
            EpochTable epochs,
            CommitClock commits) {
        this.scheduler = scheduler;
        this.topic = topic;
        this.epochs = epochs;
        this.commits = commits;
        this.assigner = new PartitionAssigner(topic.partitions().size());
        KubernetesKeys keys = new KubernetesKeys(Settings.PREFIX);
        this.builder =
                new ChangeBuilder(
                        keys,
                        new ValueReader(keys, KubernetesDecoder.NONE),
                        parallel,
                        false,
                        MAX_RECORD_BYTES);
    }

    void onFailure(Consumer<FeedEvent> told) {
        failed = told;
    }

    void open(Runnable opened) {
        FakeProducer[] created = new FakeProducer[1];
        created[0] =
                topic.initTransactions(
                        TRANSACTIONAL_ID,
                        () -> {
                            if (!created[0].isFenced() && !created[0].isCrashed()) {
                                opened.run();
                            }
                        });
        producer = created[0];
        unreachableSince = -1;
    }

    int readLiveKeys() {
        ghosts = TopicMemory.liveKeys(topic);
        return ghosts.size();
    }

    /**
     * Notices what a producer notices by itself: that it is fenced, or that nothing gets through.
     */
    void check() {
        FakeProducer current = producer;
        if (current == null || current.isCrashed()) {
            return;
        }
        if (current.isFenced()) {
            commits.aborted();
            producer = null;
            failed.accept(
                    current.isTimedOut()
                            ? new FeedEvent.SinkLost("the transaction timed out")
                            : new FeedEvent.Fenced("another has taken over"));
            return;
        }
        long now = scheduler.nowMillis();
        unreachableSince = topic.isReachable() ? -1 : unreachableSince < 0 ? now : unreachableSince;
        if (unreachableSince >= 0 && now - unreachableSince > DELIVERY_TIMEOUT_MILLIS) {
            commits.aborted();
            current.crash();
            producer = null;
            failed.accept(new FeedEvent.SinkLost("not delivered in time"));
        }
    }

    void crash() {
        if (producer != null) {
            commits.aborted();
            producer.crash();
        }
        producer = null;
        failed = _ -> {};
    }

    void carryOut(FeedEffect effect, Runnable done) {
        FakeProducer to = producer;
        if (to == null) {
            // Closed, or about to be told that it is lost.
            if (effect instanceof FeedEffect.CloseTopic || effect instanceof FeedEffect.Commit) {
                done.run();
            }
            return;
        }
        switch (effect) {
            case FeedEffect.WriteListed(long epoch, var keyValues) -> {
                List<Mirrored> listed = builder.listed(epoch, keyValues);
                listed.forEach(each -> ghosts.remove(each.key()));
                write(to, listed);
            }
            case FeedEffect.BuryGhosts(long epoch, long revision) -> {
                for (Bytes key : ghosts) {
                    write(to, new Change.Delete(epoch, revision, 0, key));
                }
                ghosts = new HashSet<>();
            }
            case FeedEffect.WriteChanges(long epoch, var events) ->
                    write(to, builder.changed(epoch, events));
            case FeedEffect.WriteMark(var kind, long epoch, long revision, long clusterId) -> {
                if (kind == Change.TideMark.Kind.LIST_BEGIN) {
                    epochs.begins(epoch, clusterId, revision);
                }
                Change mark =
                        new Change.TideMark(epoch, revision, kind, clusterId, "http://connector");
                for (int p = 0; p < assigner.partitions(); p++) {
                    to.send(p, ChangeCodec.encode(mark));
                }
            }
            case FeedEffect.Commit _ -> {
                boolean something = to.hasOpenTransaction();
                to.commit(() -> {
                    if (something) {
                        commits.committed();
                    }
                    done.run();
                });
                return;
            }
            case FeedEffect.Abort _ -> {
                commits.aborted();
                to.abort();
            }
            case FeedEffect.CloseTopic _ -> {
                commits.aborted();
                to.crash();
                producer = null;
            }
            default -> throw new IllegalArgumentException(effect.toString());
        }
        done.run();
    }

    private void write(FakeProducer to, List<Mirrored> mirrored) {
        for (Mirrored each : mirrored) {
            if (each.change() != null) {
                write(to, each.change());
            }
        }
    }

    private void write(FakeProducer to, Change change) {
        Bytes key =
                switch (change) {
                    case Change.Put put -> put.key();
                    case Change.Delete delete -> delete.key();
                    case Change.TideMark mark -> ChangeCodec.markKey(mark.kind());
                };
        to.send(assigner.partitionOf(key), ChangeCodec.encode(change));
    }
}
