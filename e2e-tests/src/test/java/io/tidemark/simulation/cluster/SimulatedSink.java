package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.GapDiff;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.RevisionIndex;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.FakeProducer;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connector's access to the topic: production's records, written through a fake producer. */
public final class SimulatedSink {
    private static final String TRANSACTIONAL_ID = "tidemark";
    private static final String ADDRESS = "http://connector";
    private static final int MARKER_WAIT_TRIES = 150;
    private static final int MAX_RECORD_BYTES = 1 << 20;
    private static final ParallelMap IN_THIS_THREAD = new ParallelMap(1);

    /** How long the broker may be away before a producer gives up on its sends. */
    private static final long DELIVERY_TIMEOUT_MILLIS = 3_000;

    private final Scheduler scheduler;
    private final Settings settings;
    private final FakeTopic topic;
    private final PartitionAssigner assigner;
    private final ChangeBuilder builder;
    private final Mutation mutation;
    private final InstantSource clock;
    private final EpochHistories epochs;
    private final CommitGaps commits;
    private Consumer<FeedEvent> failed = _ -> {};
    private @Nullable FakeProducer producer;
    private Set<Bytes> staleKeys = new HashSet<>();
    private final List<MirrorEntry> afterMark = new ArrayList<>();

    /** Of the current watch. */
    private RevisionIndex index = new RevisionIndex();

    private boolean watching;

    /** Of the watch's newest change. */
    private long written;

    private GapDiff gap = new GapDiff(new KeyTable(), 0);
    private int gapIndex;
    private long gapAfter;

    /** Whether no change after the gap's beginning was ever sent before. */
    private boolean gapExact;

    private HistoryFingerprint gapWitnesses = new HistoryFingerprint();
    private HistoryFingerprint fingerprint = new HistoryFingerprint();

    /** Since the topic was opened. */
    private Change.@Nullable TideMark lastMark;

    private long unreachableSince = -1;

    public SimulatedSink(
            Scheduler scheduler,
            Settings settings,
            FakeTopic topic,
            Mutation mutation,
            InstantSource clock,
            EpochHistories epochs,
            CommitGaps commits) {
        this.scheduler = scheduler;
        this.settings = settings;
        this.mutation = mutation;
        this.clock = clock;
        this.topic = topic;
        this.epochs = epochs;
        this.commits = commits;
        this.assigner = new PartitionAssigner(topic.partitions().size());
        KubernetesKeys keys = new KubernetesKeys(Settings.PREFIX);
        this.builder =
                new ChangeBuilder(
                        keys,
                        new ValueReader(keys, ValueDecoder.NONE),
                        IN_THIS_THREAD,
                        false,
                        MAX_RECORD_BYTES);
    }

    void onFailure(Consumer<FeedEvent> listener) {
        failed = listener;
    }

    void open(Consumer<ResumePoint> opened) {
        FakeProducer[] created = new FakeProducer[1];
        created[0] =
                topic.initTransactions(
                        TRANSACTIONAL_ID,
                        () -> {
                            if (!created[0].isFenced() && !created[0].isCrashed()) {
                                ResumePoint resume = TopicMemory.resumePoint(topic, mutation);
                                fingerprint = TopicMemory.fingerprint(topic, resume);
                                opened.accept(resume);
                            }
                        });
        producer = created[0];
        lastMark = null;
        written = 0;
        unreachableSince = -1;
    }

    /**
     * Runs {@code reading} when no transaction is open any more: until then some committed records
     * are not visible.
     */
    void whenMarkersWritten(Runnable reading) {
        whenMarkersWritten(reading, MARKER_WAIT_TRIES);
    }

    private void whenMarkersWritten(Runnable reading, int tries) {
        boolean settled =
                topic.partitions().stream()
                        .allMatch(log -> log.lastStableOffset() == log.endOffset());
        if (settled && !topic.hasUnwrittenMarkers()) {
            reading.run();
        } else if (tries == 0) {
            failed.accept(new FeedEvent.SinkLost("a transaction stays open"));
        } else {
            var unused =
                    scheduler.after(20, "settle", () -> whenMarkersWritten(reading, tries - 1));
        }
    }

    FeedEvent readLiveKeys() {
        staleKeys = TopicMemory.loadKeys(topic);
        fingerprint = new HistoryFingerprint();
        return new FeedEvent.TopicKeysLoaded(staleKeys.size());
    }

    FeedEvent readHeldKeys(ResumePoint.At marked) {
        KeyTable held = TopicMemory.loadKeyVersions(topic);
        if (held.mayMissAbortedWrites(Duration.ofMillis(settings.lagMillis()), clock.millis())) {
            scheduler.count(CoverageEvent.GAPS_TOO_LATE);
            return new FeedEvent.HistoryMismatch("the topic may have lost aborted writes");
        }
        gap = new GapDiff(held, marked.revision());
        gapIndex = Change.GAP_INDEX;
        gapAfter = marked.revision();
        gapExact = epochs.newestSent(marked.epoch()) <= marked.revision();
        gapWitnesses = new HistoryFingerprint();
        return new FeedEvent.TopicKeysLoaded(held.held());
    }

    /**
     * Detects what a producer detects by itself: that it is fenced, or that its sends do not
     * arrive.
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
                            : new FeedEvent.Fenced("another producer has taken over"));
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

    /** Commits what can still be committed, and closes. */
    void stepDown() {
        failed = _ -> {};
        FakeProducer last = producer;
        producer = null;
        if (last != null && !mayCommit()) {
            commits.aborted();
            last.crash();
        } else if (last != null) {
            boolean something = last.hasOpenTransaction();
            last.commit(() -> {
                if (something) {
                    commits.committed();
                }
                last.crash();
            });
        }
    }

    /**
     * @param history number of etcd's history that the records belong to
     */
    void apply(FeedEffect effect, long history, Runnable done) {
        FakeProducer to = producer;
        if (to == null) {
            // Closed, or about to learn that it has lost the topic.
            if (effect instanceof FeedEffect.CloseTopic || effect instanceof FeedEffect.Commit) {
                done.run();
            }
            return;
        }
        switch (effect) {
            case FeedEffect.WriteListed(long epoch, var keyValues) -> {
                List<MirrorEntry> listed = builder.listed(epoch, keyValues);
                listed.forEach(each -> staleKeys.remove(each.key()));
                write(to, listed);
            }
            case FeedEffect.DeleteStaleKeys(long epoch, long revision) -> {
                int place = 0;
                for (Bytes key : staleKeys.stream().sorted().toList()) {
                    if (mutation.deletesStaleKeys()) {
                        write(to, new Change.Delete(epoch, revision, place++, key));
                    }
                }
                staleKeys = new HashSet<>();
            }
            case FeedEffect.WriteGapPuts(long epoch, var keyValues) -> {
                List<KeyValue> missing =
                        gap.missing(
                                keyValues.stream()
                                        .filter(each -> builder.isWritten(each.key()))
                                        .toList());
                if (gap.contradiction().isPresent()) {
                    failed.accept(new FeedEvent.HistoryMismatch(gap.contradiction().get()));
                    return;
                }
                newestOf(epoch, keyValues);
                write(to, builder.missing(epoch, missing, gapIndex));
                gapIndex += missing.size();
            }
            case FeedEffect.WriteGapDeletes(long epoch, long revision) -> {
                if (gap.verifiedRevision() == 0) {
                    failed.accept(new FeedEvent.HistoryMismatch("no key proves the history"));
                    return;
                }
                if (settings.bridgesGaps()) {
                    epochs.deletesWrittenAt(epoch, revision);
                }
                if (mutation.deletesKeysLostInGap()) {
                    gap.eachDeleted(
                            key -> write(to, new Change.Delete(epoch, revision, gapIndex++, key)));
                }
            }
            case FeedEffect.WriteChanges(long epoch, var events) -> {
                List<MirrorEntry> changed = builder.changed(epoch, events, index);
                written = events.getLast().revision();
                if (mutation.writesMarkAfterChanges()) {
                    write(to, changed);
                } else {
                    afterMark.addAll(changed);
                }
            }
            case FeedEffect.WriteMark(var kind, long epoch, long revision, long clusterId) -> {
                if (kind == Change.TideMark.Kind.LIST_BEGIN && !to.isFenced()) {
                    scheduler.count(CoverageEvent.LISTS_BEGUN);
                    epochs.epochListed(epoch, history, revision);
                }
                if (kind == Change.TideMark.Kind.GAP || kind == Change.TideMark.Kind.BRIDGE) {
                    gapReconciled(epoch, revision);
                    fingerprint = gapWitnesses;
                }
                lastMark =
                        new Change.TideMark(
                                        epoch, revision, mutation.mark(kind), clusterId, ADDRESS)
                                .withTime(
                                        clock.millis()
                                                - epochs.supersededForMillis(
                                                        history, revision, scheduler.nowMillis()));
                mark(to, lastMark);
                fingerprint.observe(revision);
                write(to, afterMark);
                afterMark.clear();
            }
            case FeedEffect.Commit _ when isInsideRevision() -> {
                failed.accept(new FeedEvent.SinkLost("the watch ended inside a revision"));
                return;
            }
            case FeedEffect.Commit _ when !mayCommit() -> {}
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
            case FeedEffect.BeginTransaction _ -> {
                Change.TideMark last = lastMark;
                if (last != null
                        && last.kind() == Change.TideMark.Kind.PROGRESS
                        && !to.hasOpenTransaction()) {
                    mark(to, last);
                }
            }
            case FeedEffect.Abort _ -> {
                commits.aborted();
                to.abort();
                written = 0;
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

    private void mark(FakeProducer to, Change.TideMark mark) {
        epochs.recordSent(mark.epoch(), mark.revision());
        TopicRecord record = ChangeCodec.encode(mark);
        for (int p = 0; p < assigner.partitions(); p++) {
            to.send(p, record);
        }
    }

    private void write(FakeProducer to, List<MirrorEntry> mirrored) {
        for (MirrorEntry each : mirrored) {
            if (each.change() != null) {
                write(to, each.change());
            }
        }
    }

    /** What was known of the keys before a gap may no longer be true. */
    private void newestOf(long epoch, List<KeyValue> keyValues) {
        keyValues.stream()
                .filter(each -> builder.isWritten(each.key()))
                .max(Comparator.comparingLong(KeyValue::modRevision))
                .ifPresent(newest ->
                        builder.listed(epoch, List.of(newest)).stream()
                                .map(MirrorEntry::change)
                                .filter(Objects::nonNull)
                                .forEach(gapWitnesses::observe));
    }

    /** Reports the gap to the oracle. */
    private void gapReconciled(long epoch, long revision) {
        if (!settings.bridgesGaps()) {
            epochs.gapReconciled(epoch, revision);
            return;
        }
        scheduler.count(gapExact ? CoverageEvent.GAPS_BRIDGED : CoverageEvent.GAPS_BRIDGED_AGAIN);
        epochs.netChangesWritten(epoch, gapAfter, revision, gapExact);
    }

    void watchStarts() {
        index = new RevisionIndex();
        watching = true;
        written = 0;
    }

    void watchEnds() {
        watching = false;
    }

    private boolean isInsideRevision() {
        return !watching && written > (lastMark == null ? 0 : lastMark.revision());
    }

    private boolean mayCommit() {
        return fingerprint.allowCommit(lastMark == null ? 0 : lastMark.revision());
    }

    ChangeBuilder builder() {
        return builder;
    }

    /** The fingerprint of the mirrored history. */
    HistoryFingerprint fingerprint() {
        return fingerprint;
    }

    private void write(FakeProducer to, Change change) {
        fingerprint.observe(change);
        epochs.recordSent(change.epoch(), change.revision());
        Bytes key =
                switch (change) {
                    case Change.Put put -> put.key();
                    case Change.Delete delete -> delete.key();
                    case Change.TideMark mark -> ChangeCodec.markKey(mark.kind());
                };
        to.send(assigner.partitionOf(key), ChangeCodec.encode(change));
    }
}
