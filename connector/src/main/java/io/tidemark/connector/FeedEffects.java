package io.tidemark.connector;

import io.tidemark.connector.feed.Backoff;
import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.Pace;
import io.tidemark.connector.feed.PageSize;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.feed.Witnesses;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.sink.SinkException;
import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.Mirrored;
import io.tidemark.connector.value.RevisionIndex;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what the state machine decides. One thread uses it; only {@link #watch} is for others. */
final class FeedEffects implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FeedEffects.class);

    /** A list of many pages outlives a short trouble of etcd's. */
    private static final int PAGE_ATTEMPTS = 6;

    /** Stores may hold keys that nobody can name any more: only a list of its own voids them. */
    static final String FORGOTTEN =
            "etcd compacted what was not mirrored, and nothing was committed for so long that the"
                    + " topic may have forgotten what was aborted";

    /** Of a watch that has yet to catch up: what it tells may be of any time. */
    static final long LONG_AGO = 1;

    private static final Duration PAGE_PAUSE = Duration.ofSeconds(1);

    private final EtcdSource source;
    private final ChangeSink sink;
    private final ConnectorMetrics metrics;
    private final String advertise;
    private final Backoff backoff = new Backoff();
    private final Pause pause;
    private ChangeBuilder builder;
    private final PageSize pageSize = new PageSize();
    private Set<Bytes> ghosts = new HashSet<>();
    private Witnesses witnesses = new Witnesses();

    /** Of the watch that runs. */
    private RevisionIndex index = new RevisionIndex();

    /** Of the newest mark that was written. */
    private long marked;

    /**
     * Of the newest change of the watch; above {@link #marked} inside a revision that comes in
     * parts.
     */
    private long written;

    private @Nullable GapWriter gap;
    private Pace pace = new Pace(System.nanoTime());
    private long retryAt;
    private long knownAsOfMillis = LONG_AGO;
    private long checkedMillis = LONG_AGO;
    private long checkedRevision;
    private volatile EtcdSource.@Nullable Watch watch;

    /**
     * @param builder its record limit is set when the topic is opened
     */
    FeedEffects(
            EtcdSource source,
            ChangeSink sink,
            ChangeBuilder builder,
            String advertise,
            ConnectorMetrics metrics,
            Pause pause) {
        this.source = source;
        this.sink = sink;
        this.builder = builder;
        this.advertise = advertise;
        this.metrics = metrics;
        this.pause = pause;
    }

    /** What the watch has told by now was etcd's state then, by this machine's clock. */
    void knownAsOf(long millis) {
        knownAsOfMillis = millis;
    }

    /** Waits, and can be told to stop waiting for good. */
    @FunctionalInterface
    interface Pause {
        void of(Duration duration) throws InterruptedException;
    }

    /** Makes the effects of a loop that can be told to end. */
    @FunctionalInterface
    interface Factory {
        FeedEffects create(Pause pause);
    }

    /** Does it; the answer or the failure, null when there is nothing to say. */
    @Nullable FeedEvent run(FeedEffect effect) throws InterruptedException {
        try {
            return attempt(effect);
        } catch (EtcdException e) {
            return new FeedEvent.EtcdLost(String.valueOf(e.getMessage()));
        } catch (SinkException.Fenced e) {
            return new FeedEvent.Fenced(String.valueOf(e.getMessage()));
        } catch (SinkException.Unfit e) {
            return new FeedEvent.TopicUnfit(String.valueOf(e.getMessage()));
        } catch (SinkException e) {
            LOG.debug("the sink was lost", e);
            return new FeedEvent.SinkLost(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable FeedEvent attempt(FeedEffect effect)
            throws EtcdException, SinkException, InterruptedException {
        switch (effect) {
            case FeedEffect.CheckEtcd() -> {
                checkedMillis = System.currentTimeMillis();
                EtcdView view = source.view();
                checkedRevision = view.revision();
                metrics.etcdSeen(view.revision());
                return new FeedEvent.EtcdChecked(view);
            }
            case FeedEffect.OpenTopic() -> {
                ChangeSink.Opened opened = sink.open();
                builder = builder.withMaxRecordBytes(opened.maxRecordBytes());
                ghosts = new HashSet<>();
                gap = null;
                marked = 0;
                written = 0;
                witnesses = opened.witnesses();
                return new FeedEvent.TopicOpened(opened.resume());
            }
            case FeedEffect.CheckHistory(_, ResumePoint.At marked) -> {
                return new HistoryCheck(source, builder, witnesses).check(marked);
            }
            case FeedEffect.ReadHeldKeys(ResumePoint.At marked) -> {
                KeyTable held = sink.heldKeys();
                if (held.mayLackAborted(sink.history(), System.currentTimeMillis())) {
                    return new FeedEvent.HistoryOther(FORGOTTEN);
                }
                if (!held.lacking().isEmpty()) {
                    return new FeedEvent.HistoryOther(held.lacking());
                }
                gap = new GapWriter(sink, metrics, held, marked.revision());
                return new FeedEvent.LiveKeysRead(gap.held());
            }
            case FeedEffect.ReadLiveKeys() -> {
                ghosts = sink.liveKeys();
                gap = null;
                witnesses = new Witnesses();
                return new FeedEvent.LiveKeysRead(ghosts.size());
            }
            case FeedEffect.FindOldest() -> {
                return new FeedEvent.OldestFound(source.oldestRevision());
            }
            case FeedEffect.ListPage(Bytes from, long revision) -> {
                return page(from, revision);
            }
            case FeedEffect.WriteMissing(long epoch, var keyValues) -> {
                backoff.succeeded();
                return gap().writeMissing(builder, epoch, keyValues);
            }
            case FeedEffect.WriteGone(long epoch, long revision) -> {
                return gap().writeGone(epoch, revision);
            }
            case FeedEffect.ToTopic written -> write(written);
            case FeedEffect.StartWatch(long from) -> {
                pace = new Pace(System.nanoTime());
                index = new RevisionIndex();
                written = 0;
                watch = source.watch(from);
            }
            case FeedEffect.StopWatch() -> stopWatch();
            case FeedEffect.CloseTopic(), FeedEffect.Stop _ -> sink.close();
            case FeedEffect.RetryLater _ -> {
                metrics.fault();
                retryAt = System.nanoTime() + backoff.failed().toNanos();
            }
        }
        return null;
    }

    private void write(FeedEffect.ToTopic effect) throws SinkException {
        switch (effect) {
            case FeedEffect.WriteListed(long epoch, var keyValues) -> {
                backoff.succeeded();
                List<Mirrored> listed = builder.listed(epoch, keyValues);
                listed.forEach(mirrored -> ghosts.remove(mirrored.key()));
                write(listed);
            }
            case FeedEffect.WriteChanges(long epoch, var events) -> {
                backoff.succeeded();
                write(builder.changed(epoch, events, index));
                written = events.getLast().modRevision();
                pace.changed(System.nanoTime());
            }
            case FeedEffect.WriteMark(var kind, long epoch, long revision, long clusterId) -> {
                sink.mark(
                        new Change.TideMark(epoch, revision, kind, clusterId, advertise)
                                .withTime(asOfMillis(kind, revision)));
                marked = revision;
                witnesses.saw(revision);
                if (gap != null && kind != Change.TideMark.Kind.PROGRESS) {
                    gap.marked(revision);
                    witnesses = gap.witnesses();
                }
                pace.marked(System.nanoTime());
            }
            case FeedEffect.BuryGhosts(long epoch, long revision) -> bury(epoch, revision);
            case FeedEffect.WriteMissing _, FeedEffect.WriteGone _ ->
                    throw new IllegalArgumentException("has an answer: " + effect);
            case FeedEffect.Commit() -> {
                requireWholeRevision();
                // Else the transaction stays open until all that was aborted is told again.
                if (witnesses.allowCommit(marked)) {
                    sink.commit();
                    if (gap != null && gap.isMarked()) {
                        gap.crossed();
                        gap = null;
                    }
                }
                pace.committed(System.nanoTime());
            }
            case FeedEffect.BeginTransaction() -> {
                sink.beginTransaction();
                pace.begun(System.nanoTime());
            }
            case FeedEffect.Abort() -> {
                sink.abort();
                written = 0;
            }
        }
    }

    /**
     * A list is as old as the look at etcd that gave it its revision, however long it takes; one
     * further back was overtaken nobody knows when.
     */
    private long asOfMillis(Change.TideMark.Kind kind, long revision) {
        if (kind == Change.TideMark.Kind.PROGRESS) {
            return knownAsOfMillis;
        }
        return revision < checkedRevision ? LONG_AGO : checkedMillis;
    }

    /**
     * A revision of which only a part was written, and whose watch is over, is taken back: it will
     * be written from its beginning, and whoever reads what was committed gets it once.
     */
    private void requireWholeRevision() throws SinkException {
        if (watch == null && written > marked) {
            throw new SinkException.Lost(
                    "the watch ended inside revision %d, which is written again"
                            .formatted(written));
        }
    }

    private void write(List<Mirrored> changes) throws SinkException {
        sink.write(changes);
        for (Mirrored mirrored : changes) {
            if (mirrored.change() != null) {
                witnesses.saw(mirrored.change());
            }
        }
    }

    private GapWriter gap() {
        if (gap == null) {
            throw new IllegalStateException("the topic's keys were not read");
        }
        return gap;
    }

    private void bury(long epoch, long revision) throws SinkException {
        List<Mirrored> deletes = new ArrayList<>(ghosts.size());
        for (Bytes key : ghosts.stream().sorted().toList()) {
            deletes.add(
                    new Mirrored(
                            key, new Change.Delete(epoch, revision, deletes.size(), key), null));
        }
        ghosts = new HashSet<>();
        if (!deletes.isEmpty()) {
            LOG.info("{} keys of the topic are no longer in etcd: deleted", deletes.size());
            sink.write(deletes);
        }
    }

    private FeedEvent page(Bytes from, long revision) throws EtcdException, InterruptedException {
        for (int attempt = 1; ; ) {
            try {
                EtcdSource.Page page = source.list(from, revision, pageSize.limit());
                pageSize.listed(page);
                return new FeedEvent.PageListed(page);
            } catch (EtcdException.Compacted _) {
                return new FeedEvent.ListCompacted();
            } catch (EtcdException.PageTooLarge e) {
                if (!pageSize.tooLarge()) {
                    throw e;
                }
            } catch (EtcdException.Unavailable e) {
                if (attempt++ == PAGE_ATTEMPTS) {
                    throw e;
                }
                LOG.warn("a page of the list failed, asking again: {}", e.getMessage());
                pause.of(PAGE_PAUSE);
            }
        }
    }

    /** The time at which a pause after a fault is over. */
    long retryAt() {
        return retryAt;
    }

    Pace pace() {
        return pace;
    }

    /** The running watch; null when none runs. */
    EtcdSource.@Nullable Watch watch() {
        return watch;
    }

    private void stopWatch() {
        EtcdSource.Watch running = watch;
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
