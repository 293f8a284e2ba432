package io.tidemark.simulation.etcd;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.RevisionChange;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import java.util.List;

/**
 * One watch on one stream. It delivers in order, after a delay, several revisions together when it
 * lags, and many changes in parts. As in etcd, it sends progress only while it is in step, and
 * sometimes not even then. It may fall silent, as one whose connection has died without a word.
 */
public final class FakeWatchStream {
    /** More changes than this arrive in parts. */
    private static final int PART = 8;

    private static final int MAX_REVISIONS_PER_DELIVERY = 20;

    private final Scheduler scheduler;
    private final FakeEtcd etcd;
    private final Bytes prefix;
    private final Listener listener;
    private final long startRevision;
    private long nextRevision;
    private long lastDeliveryMillis;
    private boolean pumping;
    private boolean silent;
    private boolean closed;

    public FakeWatchStream(
            Scheduler scheduler,
            FakeEtcd etcd,
            Bytes prefix,
            long fromRevision,
            Listener listener) {
        this.scheduler = scheduler;
        this.etcd = etcd;
        this.prefix = prefix;
        this.startRevision = fromRevision;
        this.nextRevision = fromRevision;
        this.listener = listener;
    }

    /**
     * Receives what a stream delivers; nothing comes after {@code onCompacted} or {@code onLost}.
     */
    public interface Listener {
        /** The stream was established at a revision; the first call. */
        void onOpened(long clusterId, long revision);

        /**
         * Changes under the prefix, in order.
         *
         * @param throughRevision everything through it has been delivered with these
         */
        void onChanges(List<RevisionChange> facts, long throughRevision);

        /** All changes at or below it have been delivered. */
        void onProgress(long revision);

        void onCompacted(long compactedRevision);

        void onLost(String why);
    }

    /** Asks for a progress reply; there may be none. */
    public void requestProgress() {
        long revision = etcd.revision();
        boolean inStep = nextRevision == Math.max(startRevision, revision + 1);
        boolean answers = startRevision <= revision || etcd.notifiesProgressBelowStart();
        if (!closed && inStep && answers && !scheduler.oneIn(10)) {
            deliver("progress " + revision, () -> listener.onProgress(revision));
        }
    }

    /** Ends it; it delivers nothing more. */
    public void close() {
        closed = true;
        etcd.closed(this);
    }

    public boolean isClosed() {
        return closed;
    }

    public void open() {
        long clusterId = etcd.clusterId();
        long revision = etcd.revision();
        deliver("opened", () -> listener.onOpened(clusterId, revision));
        wake();
    }

    public void wake() {
        if (!closed && !pumping && nextRevision <= etcd.revision()) {
            pumping = true;
            boolean late = etcd.isSlow() || scheduler.oneIn(40);
            long delay = late ? scheduler.between(50, 1_500) : scheduler.between(0, 8);
            var unused = scheduler.after(delay, "watch pump", this::pump);
        }
    }

    private void pump() {
        pumping = false;
        if (closed) {
            return;
        }
        if (nextRevision < etcd.compactedRevision()) {
            long compacted = etcd.compactedRevision();
            scheduler.count(CoverageEvent.WATCHES_COMPACTED);
            pumping = true;
            deliver(
                    "compacted",
                    () -> {
                        close();
                        listener.onCompacted(compacted);
                    });
            return;
        }
        long through = Math.min(etcd.revision(), nextRevision + MAX_REVISIONS_PER_DELIVERY - 1);
        List<RevisionChange> facts =
                etcd.facts(nextRevision - 1, through).stream()
                        .filter(fact -> fact.key().startsWith(prefix))
                        .toList();
        nextRevision = Math.max(nextRevision, through + 1);
        deliverInParts(facts);
        wake();
    }

    /** The stream may break between two parts. */
    private void deliverInParts(List<RevisionChange> facts) {
        for (int from = 0; from < facts.size(); from += PART) {
            int to = Math.min(facts.size(), from + PART);
            List<RevisionChange> part = facts.subList(from, to);
            long last = part.getLast().revision();
            boolean whole = to == facts.size() || facts.get(to).revision() > last;
            if (from > 0 && scheduler.oneIn(4)) {
                // etcd takes long to split a revision into messages.
                long now = Math.max(lastDeliveryMillis, scheduler.nowMillis());
                lastDeliveryMillis = now + scheduler.between(1, 120);
            }
            deliver("changes", () -> listener.onChanges(part, whole ? last : last - 1));
        }
    }

    /** Nothing arrives any more, not even its end. */
    void silence() {
        silent = true;
    }

    /** What was in flight is lost with the stream. */
    public void lose(String why) {
        if (!closed) {
            close();
            var unused =
                    scheduler.after(scheduler.between(0, 20), "lost", () -> listener.onLost(why));
        }
    }

    private void deliver(String what, Runnable delivery) {
        lastDeliveryMillis =
                Math.max(lastDeliveryMillis, scheduler.nowMillis() + scheduler.between(0, 5));
        var unused =
                scheduler.after(
                        lastDeliveryMillis - scheduler.nowMillis(),
                        what,
                        () -> {
                            if (!closed && !silent) {
                                delivery.run();
                            }
                        });
    }
}
