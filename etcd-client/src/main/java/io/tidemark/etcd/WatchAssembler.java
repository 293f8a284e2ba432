package io.tidemark.etcd;

import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.Failures;
import io.tidemark.etcd.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Assembles events of whole revisions from the responses to one watch; only huge revisions are
 * split. Pure; single-threaded.
 *
 * <p>The watch requests fragments, since etcd would otherwise put up to a thousand revisions, or
 * one of any size, into one response. A fragment may end in the middle of a revision; its last
 * revision is held back until a later one begins, the last fragment has arrived, or it takes too
 * much memory: then it is delivered in parts.
 *
 * <p>How far responses are trusted, as etcd's versions differ:
 *
 * <ul>
 *   <li>The revision in a response with changes is not progress: while a watch catches up, it is
 *       far ahead of the delivered changes.
 *   <li>A response without changes is progress, if etcd sent it unprompted or progress requests can
 *       be trusted, and if it does not go back (a lagging member may send that, 20221).
 *   <li>Changes already delivered arrive again when a member is restored from a snapshot (15271):
 *       they are dropped. New ones at or below reported progress break the order: the watch ends
 *       rather than lose them.
 * </ul>
 */
final class WatchAssembler {
    /** The watch id in the reply to a progress request, which concerns the whole stream. */
    private static final long ALL_WATCHES = -1;

    private final boolean startsNow;
    private final ProgressSupport trust;
    private final long maxHeldBytes;

    /** Changes of {@code heldRevision}, which may be incomplete. */
    private List<KeyChange> held = new ArrayList<>();

    private long heldRevision;
    private long heldBytes;

    /** Whether a part of {@code heldRevision} was delivered, and more may follow. */
    private boolean open;

    private long changesThrough;
    private long progressThrough;

    /**
     * @param startRevision as requested of etcd, 0 for now
     * @param maxHeldBytes a revision that arrives in fragments is delivered in parts of about this
     *     size
     */
    WatchAssembler(long startRevision, ProgressSupport trust, long maxHeldBytes) {
        startsNow = startRevision == 0;
        this.trust = trust;
        this.maxHeldBytes = maxHeldBytes;
        changesThrough = Math.max(0, startRevision - 1);
    }

    /** The event that this response completes; null when it completes none. */
    @Nullable WatchEvent accept(Rpc.WatchResponse answer) {
        long revision = answer.getHeader().getRevision();
        if (answer.getCanceled()) {
            return ended(answer);
        }
        if (answer.getCreated()) {
            if (startsNow) {
                changesThrough = revision;
            }
            return new WatchEvent.Created(revision, answer.getHeader().getClusterId());
        }
        if (answer.getEventsCount() > 0) {
            return changes(answer);
        }
        return progress(answer);
    }

    private static WatchEvent ended(Rpc.WatchResponse answer) {
        if (answer.getCompactRevision() > 0) {
            return new WatchEvent.Compacted(answer.getCompactRevision());
        }
        String reason = answer.getCancelReason();
        EtcdException.Kind kind =
                Failures.isAuthText(reason) ? EtcdException.Kind.AUTH : EtcdException.Kind.OTHER;
        return failed(kind, "etcd ended the watch: " + (reason.isEmpty() ? "no reason" : reason));
    }

    private @Nullable WatchEvent changes(Rpc.WatchResponse answer) {
        List<KeyChange> complete = new ArrayList<>(answer.getEventsCount());
        for (Rpc.Event event : answer.getEventsList()) {
            long revision = event.getKv().getModRevision();
            if (revision <= changesThrough || revision < heldRevision) {
                continue;
            }
            if (revision <= progressThrough) {
                return failed(
                        EtcdException.Kind.OTHER,
                        "etcd sent a change at revision %d after reporting progress through %d"
                                .formatted(revision, progressThrough));
            }
            if (revision > heldRevision) {
                release(complete);
                heldRevision = revision;
            }
            held.add(Conversions.change(event));
            heldBytes += event.getSerializedSize();
        }
        if (!answer.getFragment()) {
            release(complete);
        } else if (heldBytes > maxHeldBytes) {
            complete.addAll(takeHeld());
            open = true;
        }
        return complete.isEmpty()
                ? null
                : new WatchEvent.Changes(
                        complete, changesThrough, answer.getHeader().getRevision());
    }

    private List<KeyChange> takeHeld() {
        List<KeyChange> taken = held;
        held = new ArrayList<>();
        heldBytes = 0;
        return taken;
    }

    /** Appends the held revision, now complete, to {@code complete}. */
    private void release(List<KeyChange> complete) {
        if (!held.isEmpty() || open) {
            complete.addAll(takeHeld());
            changesThrough = heldRevision;
            open = false;
        }
    }

    private @Nullable WatchEvent progress(Rpc.WatchResponse answer) {
        long revision = answer.getHeader().getRevision();
        boolean trusted =
                switch (trust) {
                    case MANUAL -> true;
                    case PERIODIC -> answer.getWatchId() != ALL_WATCHES;
                };
        if (!trusted
                || !held.isEmpty()
                || open
                || revision < Math.max(changesThrough, progressThrough)) {
            return null;
        }
        progressThrough = revision;
        return new WatchEvent.Progress(revision);
    }

    private static WatchEvent failed(EtcdException.Kind kind, String message) {
        return new WatchEvent.Failed(new EtcdException(kind, message, null));
    }
}
