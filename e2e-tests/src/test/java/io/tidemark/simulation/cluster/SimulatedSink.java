package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
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
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connector's access to the topic: production's records, written through a fake producer. */
public final class SimulatedSink {
    private static final String ADDRESS = "http://connector";
    private static final int MAX_RECORD_BYTES = 1 << 20;
    private static final ParallelMap IN_THIS_THREAD = new ParallelMap(1);

    private final Scheduler scheduler;
    private final Settings settings;
    private final FakeTopic topic;
    private final SimulatedTransactions transactions;
    private final ChangeBuilder builder;
    private final Mutation mutation;
    private final InstantSource clock;
    private final EpochHistories epochs;
    private Set<Bytes> staleKeys = new HashSet<>();
    private final List<MirrorEntry> afterMark = new ArrayList<>();

    /** Of the current watch. */
    private RevisionIndex index = new RevisionIndex();

    private boolean watching;

    /** Of the watch's newest change. */
    private long written;

    private @Nullable SimulatedGap gap;
    private HistoryFingerprint fingerprint = new HistoryFingerprint();

    /** Since the topic was opened. */
    private Change.@Nullable TideMark lastMark;

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
        this.transactions = new SimulatedTransactions(scheduler, topic, epochs, commits);
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
        transactions.onFailure(listener);
    }

    void open(Consumer<ResumePoint> opened) {
        transactions.open(() -> {
            ResumePoint resume = TopicMemory.resumePoint(topic, mutation);
            fingerprint = TopicMemory.fingerprint(topic, resume);
            opened.accept(resume);
        });
        lastMark = null;
        written = 0;
    }

    /** Runs {@code reading} when all committed records are visible. */
    void whenMarkersWritten(Runnable reading) {
        transactions.whenMarkersWritten(reading);
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
        gap = new SimulatedGap(scheduler, settings, epochs, builder, held, marked);
        return new FeedEvent.TopicKeysLoaded(held.held());
    }

    /** Detects that it has lost the topic. */
    void check() {
        transactions.check();
    }

    void crash() {
        transactions.crash();
    }

    /** Commits what can still be committed, and closes. */
    void stepDown() {
        if (mayCommit()) {
            transactions.commitAndClose();
        } else {
            transactions.crash();
        }
    }

    /**
     * @param history number of etcd's history that the records belong to
     */
    void apply(FeedEffect effect, long history, Runnable done) {
        if (!transactions.isOpen()) {
            if (effect instanceof FeedEffect.CloseTopic || effect instanceof FeedEffect.Commit) {
                done.run();
            }
            return;
        }
        switch (effect) {
            case FeedEffect.WriteListed(long epoch, var keyValues) -> {
                List<MirrorEntry> listed = builder.listed(epoch, keyValues);
                listed.forEach(each -> staleKeys.remove(each.key()));
                write(listed);
            }
            case FeedEffect.DeleteStaleKeys(long epoch, long revision) -> {
                int place = 0;
                for (Bytes key : staleKeys.stream().sorted().toList()) {
                    if (mutation.deletesStaleKeys()) {
                        write(new Change.Delete(epoch, revision, place++, key));
                    }
                }
                staleKeys = new HashSet<>();
            }
            case FeedEffect.WriteGapPuts(long epoch, var keyValues) -> {
                List<MirrorEntry> missing = gap().puts(epoch, keyValues);
                if (gap().contradiction().isPresent()) {
                    transactions.fail(new FeedEvent.HistoryMismatch(gap().contradiction().get()));
                    return;
                }
                write(missing);
            }
            case FeedEffect.WriteGapDeletes(long epoch, long revision) -> {
                if (!gap().isVerified()) {
                    transactions.fail(new FeedEvent.HistoryMismatch("no key proves the history"));
                    return;
                }
                if (settings.bridgesGaps()) {
                    epochs.deletesWrittenAt(epoch, revision);
                }
                if (mutation.deletesKeysLostInGap()) {
                    gap().deletes(epoch, revision).forEach(this::write);
                }
            }
            case FeedEffect.WriteChanges(long epoch, var events) -> {
                List<MirrorEntry> changed = builder.changed(epoch, events, index);
                written = events.getLast().revision();
                if (mutation.writesMarkAfterChanges()) {
                    write(changed);
                } else {
                    afterMark.addAll(changed);
                }
            }
            case FeedEffect.WriteMark(var kind, long epoch, long revision, long clusterId) -> {
                if (kind == Change.TideMark.Kind.LIST_BEGIN && !transactions.isFenced()) {
                    scheduler.count(CoverageEvent.LISTS_BEGUN);
                    epochs.epochListed(epoch, history, revision);
                }
                if (kind == Change.TideMark.Kind.GAP || kind == Change.TideMark.Kind.BRIDGE) {
                    fingerprint = gap().reconciled(epoch, revision);
                }
                lastMark =
                        new Change.TideMark(
                                        epoch, revision, mutation.mark(kind), clusterId, ADDRESS)
                                .withTime(
                                        clock.millis()
                                                - epochs.supersededForMillis(
                                                        history, revision, scheduler.nowMillis()));
                transactions.mark(lastMark);
                fingerprint.observe(revision);
                write(afterMark);
                afterMark.clear();
            }
            case FeedEffect.Commit _ when isInsideRevision() -> {
                transactions.fail(new FeedEvent.SinkLost("the watch ended inside a revision"));
                return;
            }
            case FeedEffect.Commit _ when !mayCommit() -> {}
            case FeedEffect.Commit _ -> {
                transactions.commit(done);
                return;
            }
            case FeedEffect.BeginTransaction _ -> {
                Change.TideMark last = lastMark;
                if (last != null
                        && last.kind() == Change.TideMark.Kind.PROGRESS
                        && !transactions.hasOpenTransaction()) {
                    transactions.mark(last);
                }
            }
            case FeedEffect.Abort _ -> {
                transactions.abort();
                written = 0;
            }
            case FeedEffect.CloseTopic _ -> transactions.close();
            default -> throw new IllegalArgumentException(effect.toString());
        }
        done.run();
    }

    private SimulatedGap gap() {
        return Objects.requireNonNull(gap, "no gap was begun");
    }

    private void write(List<MirrorEntry> mirrored) {
        for (MirrorEntry each : mirrored) {
            if (each.change() != null) {
                write(each.change());
            }
        }
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

    private void write(Change change) {
        fingerprint.observe(change);
        transactions.send(change);
    }
}
