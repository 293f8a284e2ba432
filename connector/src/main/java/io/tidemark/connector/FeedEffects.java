package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.FeedSchedule;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.PageSize;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.metrics.TermGauges;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.sink.SinkException;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.connector.value.RevisionIndex;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the state machine's effects on etcd and the topic. Single-threaded, except {@link
 * #watch}, which is thread-safe.
 */
public final class FeedEffects implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FeedEffects.class);

    /** Attempts per page, so that a list of many pages survives a short outage of etcd. */
    private static final int PAGE_ATTEMPTS = 6;

    /**
     * Stores may hold keys that no record names any more: only a relist in a new epoch voids them.
     */
    static final String ABORTED_WRITES_UNKNOWN =
            "etcd compacted unread changes, and the last commit is so old that the topic may have"
                    + " dropped aborted writes that stores still hold";

    /** State time of a watch that still catches up: its events may be of any time. */
    static final long UNKNOWN_TIME = 1;

    private final EtcdSource source;
    private final ChangeSink sink;
    private final ConnectorMetrics metrics;
    private final TermGauges term;
    private final String advertise;
    private final FeedRuntime runtime;
    private final TimeSource time;
    private final FeedTiming timing;
    private ChangeBuilder builder;
    private final PageSize pageSize = new PageSize();
    private Set<Bytes> staleKeys = new HashSet<>();
    private HistoryFingerprint fingerprint = new HistoryFingerprint();

    /** Of the running watch. */
    private RevisionIndex index = new RevisionIndex();

    /** Revision of the newest mark written. */
    private long marked;

    /** Whether a mark was written since the last commit. */
    private boolean isMarkUncommitted;

    /**
     * Revision of the watch's newest change written; above {@link #marked} within a revision that
     * arrives in parts.
     */
    private long written;

    private @Nullable GapWriter gap;
    private FeedSchedule pace;

    /** Faults since the last commit of a mark. */
    private int failures;

    private long retryAt;
    private long knownAsOfMillis = UNKNOWN_TIME;
    private long checkedMillis = UNKNOWN_TIME;
    private long checkedRevision;
    private volatile @Nullable EtcdWatch watch;

    /**
     * @param builder its record limit is set when the topic is opened
     */
    public FeedEffects(
            EtcdSource source,
            ChangeSink sink,
            ChangeBuilder builder,
            String advertise,
            ConnectorMetrics metrics,
            FeedTiming timing,
            FeedRuntime runtime) {
        this.source = source;
        this.sink = sink;
        this.builder = builder;
        this.advertise = advertise;
        this.metrics = metrics;
        this.term = metrics.term();
        this.timing = timing;
        this.runtime = runtime;
        this.time = runtime.time();
        this.pace = new FeedSchedule(time.nanoTime(), timing.maxCommitDelay());
    }

    FeedRuntime runtime() {
        return runtime;
    }

    /**
     * Sets the time, by this machine's clock, at which the events read so far were etcd's state.
     */
    void setStateAsOf(long millis) {
        knownAsOfMillis = millis;
    }

    /** Carries out one effect; returns its answer or failure, null when it has none. */
    @Nullable FeedEvent run(FeedEffect effect) throws InterruptedException {
        try {
            return attempt(effect);
        } catch (EtcdException e) {
            return new FeedEvent.EtcdLost(String.valueOf(e.getMessage()));
        } catch (SinkException.Fenced e) {
            return new FeedEvent.Fenced(String.valueOf(e.getMessage()));
        } catch (SinkException.InvalidTopic e) {
            return new FeedEvent.TopicInvalid(String.valueOf(e.getMessage()));
        } catch (SinkException e) {
            LOG.debug("the sink failed; the topic is reopened", e);
            return new FeedEvent.SinkLost(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable FeedEvent attempt(FeedEffect effect)
            throws SinkException, InterruptedException {
        switch (effect) {
            case FeedEffect.CheckEtcd() -> {
                checkedMillis = time.currentTimeMillis();
                EtcdView view = source.view();
                checkedRevision = view.revision();
                term.etcdSeen(view.revision());
                return new FeedEvent.EtcdChecked(view);
            }
            case FeedEffect.OpenTopic() -> {
                ChangeSink.Opened opened = sink.open();
                builder = builder.withMaxRecordBytes(opened.maxRecordBytes());
                staleKeys = new HashSet<>();
                gap = null;
                marked = 0;
                isMarkUncommitted = false;
                written = 0;
                fingerprint = opened.fingerprint();
                return new FeedEvent.TopicOpened(opened.resume());
            }
            case FeedEffect.CheckHistory(_, ResumePoint.At marked) -> {
                return new HistoryCheck(source, builder, fingerprint).check(marked);
            }
            case FeedEffect.LoadTopicKeyVersions(ResumePoint.At marked) -> {
                gap = null; // Its keys would be in memory beside those that are loaded.
                KeyTable topicKeys = sink.loadKeyVersions();
                if (topicKeys.mayMissAbortedWrites(sink.history(), time.currentTimeMillis())) {
                    return new FeedEvent.HistoryMismatch(ABORTED_WRITES_UNKNOWN);
                }
                if (!topicKeys.incompleteReason().isEmpty()) {
                    return new FeedEvent.HistoryMismatch(topicKeys.incompleteReason());
                }
                if (!topicKeys.hasCommitted()) {
                    return GapWriter.unverified(marked.revision());
                }
                gap = new GapWriter(sink, metrics, time, topicKeys, marked.revision());
                return new FeedEvent.TopicKeysLoaded(gap.held());
            }
            case FeedEffect.LoadTopicKeys() -> {
                gap = null;
                staleKeys = sink.loadKeys();
                // The new epoch's revisions may be lower, and no transaction is open here.
                written = 0;
                fingerprint = new HistoryFingerprint();
                return new FeedEvent.TopicKeysLoaded(staleKeys.size());
            }
            case FeedEffect.FindOldestRevision() -> {
                return new FeedEvent.OldestRevisionFound(source.oldestRevision());
            }
            case FeedEffect.ListPage(Bytes from, long revision) -> {
                return page(from, revision);
            }
            case FeedEffect.WriteGapPuts(long epoch, var keyValues) -> {
                return gap().writePuts(builder, epoch, keyValues);
            }
            case FeedEffect.WriteGapDeletes(long epoch, long revision) -> {
                return gap().writeDeletes(epoch, revision);
            }
            case FeedEffect.TopicWrite written -> write(written);
            case FeedEffect.StartWatch(long revision) -> {
                pace = new FeedSchedule(time.nanoTime(), timing.maxCommitDelay());
                index = new RevisionIndex();
                written = 0;
                watch = source.watch(revision);
            }
            case FeedEffect.StopWatch() -> stopWatch();
            case FeedEffect.CloseTopic(), FeedEffect.Stop _ -> sink.close();
            case FeedEffect.RetryLater _ -> {
                metrics.fault();
                retryAt = time.nanoTime() + timing.retries().after(++failures).toNanos();
            }
        }
        return null;
    }

    private void write(FeedEffect.TopicWrite effect) throws SinkException {
        switch (effect) {
            case FeedEffect.WriteListed(long epoch, var keyValues) -> {
                List<MirrorEntry> listed = builder.listed(epoch, keyValues);
                listed.forEach(mirrored -> staleKeys.remove(mirrored.key()));
                write(listed);
            }
            case FeedEffect.WriteChanges(long epoch, var events) -> {
                write(builder.changed(epoch, events, index));
                written = events.getLast().revision();
                pace.changed(time.nanoTime(), events.size());
            }
            case FeedEffect.WriteMark(var kind, long epoch, long revision, long clusterId) -> {
                sink.mark(
                        new Change.TideMark(epoch, revision, kind, clusterId, advertise)
                                .withTime(asOfMillis(kind, revision)));
                marked = revision;
                isMarkUncommitted = true;
                fingerprint.observe(revision);
                if (gap != null && kind != Change.TideMark.Kind.PROGRESS) {
                    gap.marked(revision);
                    fingerprint = gap.fingerprint();
                }
                pace.marked(time.nanoTime());
            }
            case FeedEffect.DeleteStaleKeys(long epoch, long revision) ->
                    deleteStaleKeys(epoch, revision);
            case FeedEffect.WriteGapPuts _, FeedEffect.WriteGapDeletes _ ->
                    throw new IllegalArgumentException("not a plain write: " + effect);
            case FeedEffect.Commit() -> {
                requireWholeRevision();
                // Otherwise the transaction stays open until every aborted change has been written
                // again.
                if (fingerprint.allowCommit(marked)) {
                    sink.commit();
                    resetFailures();
                    if (gap != null && gap.isMarked()) {
                        gap.reportReconciled();
                        gap = null;
                    }
                }
                pace.committed(time.nanoTime());
            }
            case FeedEffect.BeginTransaction() -> {
                sink.beginTransaction();
                pace.begun(time.nanoTime());
            }
            case FeedEffect.Abort() -> {
                sink.abort();
                written = 0;
                isMarkUncommitted = false;
            }
        }
    }

    /**
     * Only a commit proves that etcd and Kafka work: the producer accepts a record before it sends
     * it. A commit of nothing, after a watch that failed at once, proves neither.
     */
    private void resetFailures() {
        if (isMarkUncommitted) {
            failures = 0;
        }
        isMarkUncommitted = false;
    }

    /**
     * A list's state time is that of the etcd check that supplied its revision, however long the
     * list takes; a list at an older revision has no known time.
     */
    private long asOfMillis(Change.TideMark.Kind kind, long revision) {
        if (kind == Change.TideMark.Kind.PROGRESS) {
            return knownAsOfMillis;
        }
        return revision < checkedRevision ? UNKNOWN_TIME : checkedMillis;
    }

    /**
     * Rejects the commit of a partly written revision, when its watch has ended or the feed stops:
     * the transaction is aborted and the revision is written again from its beginning, so
     * read-committed consumers get it once.
     */
    private void requireWholeRevision() throws SinkException {
        if (written > marked) {
            throw new SinkException.Lost(
                    "stopped inside revision %d; that revision is written again"
                            .formatted(written));
        }
    }

    private void write(List<MirrorEntry> changes) throws SinkException {
        sink.write(changes);
        for (MirrorEntry mirrored : changes) {
            if (mirrored.change() != null) {
                fingerprint.observe(mirrored.change());
            }
        }
    }

    private GapWriter gap() {
        if (gap == null) {
            throw new IllegalStateException("the topic's keys have not been loaded");
        }
        return gap;
    }

    private void deleteStaleKeys(long epoch, long revision) throws SinkException {
        List<MirrorEntry> deletes = new ArrayList<>(staleKeys.size());
        for (Bytes key : staleKeys.stream().sorted().toList()) {
            deletes.add(
                    new MirrorEntry(
                            key, new Change.Delete(epoch, revision, deletes.size(), key), null));
        }
        staleKeys = new HashSet<>();
        if (!deletes.isEmpty()) {
            LOG.info("deleting {} stale keys: in the topic, no longer in etcd", deletes.size());
            sink.write(deletes);
        }
    }

    private FeedEvent page(Bytes from, long revision) throws InterruptedException {
        for (int attempt = 1; ; ) {
            try {
                RangePage page = source.list(from, revision, pageSize.limit());
                pageSize.listed(page);
                return new FeedEvent.PageListed(page);
            } catch (EtcdException e) {
                switch (e.kind()) {
                    case COMPACTED -> {
                        return new FeedEvent.ListCompacted();
                    }
                    case TOO_LARGE -> {
                        if (!pageSize.tooLarge()) {
                            throw e;
                        }
                    }
                    case OTHER_CLUSTER -> throw e;
                    case UNAVAILABLE, FUTURE_REVISION, AUTH, DEADLINE, OTHER -> {
                        if (attempt++ == PAGE_ATTEMPTS) {
                            throw e;
                        }
                        LOG.warn("a page of the list failed, retrying: {}", e.getMessage());
                        runtime.pause(timing.pageRetry());
                    }
                }
            }
        }
    }

    /** When the pause after a fault ends, in nanoseconds of the system's clock. */
    long retryAt() {
        return retryAt;
    }

    FeedSchedule pace() {
        return pace;
    }

    /** The running watch; null when none runs. */
    @Nullable EtcdWatch watch() {
        return watch;
    }

    private void stopWatch() {
        EtcdWatch running = watch;
        watch = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public void close() {
        stopWatch();
        sink.close();
    }
}
