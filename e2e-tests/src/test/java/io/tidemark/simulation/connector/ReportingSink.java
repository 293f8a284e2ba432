package io.tidemark.simulation.connector;

import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.sink.SinkException;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.simulation.etcd.SimulatedEtcdSource;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.kafka.SimulatedKafka;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Between a feed and its sink: tells the oracle what the feed writes, and applies a mutant's
 * mistakes to it.
 */
public final class ReportingSink implements ChangeSink {
    private final ChangeSink sink;
    private final SimulatedEtcdSource source;
    private final SimulatedKafka kafka;
    private final String name;
    private final Scheduler scheduler;
    private final Settings settings;
    private final Mutation mutation;
    private final InstantSource clock;
    private final EpochHistories epochs;
    private final CommitGaps commits;
    private final List<MirrorEntry> afterMark = new ArrayList<>();
    private long epoch;
    private long marked;
    private long gapAfter;

    /** Whether no change of the gap was ever sent before. */
    private boolean isGapExact;

    private boolean wrote;

    public ReportingSink(
            ChangeSink sink,
            SimulatedEtcdSource source,
            SimulatedKafka kafka,
            SimulatedConnector.Surroundings world,
            String name) {
        this.sink = sink;
        this.source = source;
        this.kafka = kafka;
        this.name = name;
        this.scheduler = world.scheduler();
        this.settings = world.settings();
        this.mutation = world.mutation();
        this.clock = world.clock();
        this.epochs = world.epochs();
        this.commits = world.commits();
    }

    @Override
    public Opened open() throws SinkException {
        loseUncommitted();
        Opened opened = sink.open();
        scheduler.note(() -> name + ": opens the topic, " + opened.resume());
        if (opened.resume() instanceof ResumePoint.At at) {
            epoch = at.epoch();
            marked = at.revision();
        }
        return opened;
    }

    @Override
    public Set<Bytes> loadKeys() throws SinkException {
        Set<Bytes> keys = sink.loadKeys();
        return mutation.deletesStaleKeys() ? keys : new HashSet<>();
    }

    @Override
    public KeyTable loadKeyVersions() throws SinkException {
        scheduler.count(CoverageEvent.GAPS);
        scheduler.note(() -> name + ": gap after " + marked);
        KeyTable held = sink.loadKeyVersions();
        if (held.mayMissAbortedWrites(history(), clock.millis())) {
            scheduler.count(CoverageEvent.GAPS_TOO_LATE);
        }
        gapAfter = marked;
        isGapExact = epochs.newestSent(epoch) <= marked;
        return held;
    }

    @Override
    public Duration history() {
        return sink.history();
    }

    @Override
    public void write(List<MirrorEntry> changes) throws SinkException {
        wrote = true;
        List<MirrorEntry> written = new ArrayList<>(changes);
        for (MirrorEntry each : changes) {
            Change change = each.change();
            if (change == null) {
                continue;
            }
            epochs.recordSent(change.epoch(), change.revision());
            if (change instanceof Change.Delete delete && delete.index() >= Change.GAP_INDEX) {
                if (settings.bridgesGaps()) {
                    epochs.deletesWrittenAt(change.epoch(), change.revision());
                }
                if (!mutation.deletesKeysLostInGap()) {
                    written.remove(each);
                }
            }
        }
        if (mutation.writesMarkAfterChanges()) {
            for (int i = 0; i < mutation.writesPerBatch(); i++) {
                sink.write(written);
            }
            if (mutation.commitsBeforeMarks()) {
                sink.commit();
            }
        } else {
            afterMark.addAll(written);
        }
    }

    @Override
    public void mark(Change.TideMark mark) throws SinkException {
        wrote = true;
        scheduler.note(() -> name + ": " + mark);
        epochs.recordSent(mark.epoch(), mark.revision());
        sink.mark(
                new Change.TideMark(
                                mark.epoch(),
                                mark.revision(),
                                mutation.mark(mark.kind()),
                                mark.clusterId(),
                                mark.connector())
                        .withTime(mark.timeMillis()));
        epoch = mark.epoch();
        marked = mark.revision();
        switch (mark.kind()) {
            case LIST_BEGIN -> {
                if (!kafka.isFenced()) {
                    scheduler.count(CoverageEvent.LISTS_BEGUN);
                    if (epochs.isBridged(source.listedHistory())) {
                        scheduler.count(CoverageEvent.LISTS_AFTER_BRIDGES);
                    }
                    epochs.epochListed(epoch, source.listedHistory(), marked);
                }
            }
            case GAP, BRIDGE -> gapReconciled();
            case LIST_END, PROGRESS -> {}
        }
        List<MirrorEntry> delayed = List.copyOf(afterMark);
        afterMark.clear();
        if (!delayed.isEmpty()) {
            sink.write(delayed);
        }
    }

    private void gapReconciled() {
        if (settings.bridgesGaps()) {
            scheduler.count(
                    isGapExact ? CoverageEvent.GAPS_BRIDGED : CoverageEvent.GAPS_BRIDGED_AGAIN);
            epochs.netChangesWritten(epoch, gapAfter, marked, isGapExact);
        } else {
            epochs.gapReconciled(epoch, marked);
        }
    }

    @Override
    public void commit() throws SinkException {
        sink.commit();
        scheduler.note(() -> name + ": commits");
        if (wrote) {
            wrote = false;
            commits.committed();
        }
    }

    @Override
    public void beginTransaction() throws SinkException {
        sink.beginTransaction();
        wrote = true;
    }

    @Override
    public void abort() throws SinkException {
        loseUncommitted();
        sink.abort();
    }

    @Override
    public void close() {
        loseUncommitted();
        sink.close();
    }

    /** Also of a killed connector: the next one's open aborts what was not committed. */
    void loseUncommitted() {
        afterMark.clear();
        if (wrote) {
            wrote = false;
            scheduler.note(() -> name + ": loses what is not committed");
            commits.aborted();
        }
    }
}
