package io.tidemark.etcd;

import io.tidemark.etcd.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes events out of etcd's answers to one watch, of whole revisions where they are not enormous.
 * Pure: one thread feeds it.
 *
 * <p>Answers are asked for in fragments, since etcd would otherwise put up to a thousand revisions,
 * or one of any size, into one. A fragment may end in the middle of a revision; its last revision
 * is held back until a later one begins or the last fragment has come, or it takes too much: then
 * it is handed out in parts.
 *
 * <p>What is believed, and why, where etcd's versions differ:
 *
 * <ul>
 *   <li>The revision in an answer with changes is no progress: while a watch catches up, it is far
 *       ahead of what has been told.
 *   <li>An answer without changes is progress, if it came by itself or progress requests can be
 *       trusted, and if it does not go back (a lagging member may say so, 20221).
 *   <li>Changes that were told already come again when a member is restored from a snapshot
 *       (15271): they are dropped. New ones at or below told progress break the order: the watch
 *       ends rather than lose them.
 * </ul>
 */
final class WatchAssembler {
    /** The watch id in the answer to a progress request, which concerns the whole stream. */
    private static final long ALL_WATCHES = -1;

    private final boolean startsNow;
    private final ProgressSupport trust;
    private final long maxHeldBytes;

    /** Changes of {@code heldRevision}, which may not be complete yet. */
    private List<KeyChange> held = new ArrayList<>();

    private long heldRevision;
    private long heldBytes;

    /** A part of {@code heldRevision} has been handed out, and more may follow. */
    private boolean open;

    private long changesThrough;
    private long progressThrough;

    /**
     * @param startRevision as asked of etcd, 0 for now
     * @param maxHeldBytes a revision that comes in fragments is handed out in parts of about so
     *     much
     */
    WatchAssembler(long startRevision, ProgressSupport trust, long maxHeldBytes) {
        startsNow = startRevision == 0;
        this.trust = trust;
        this.maxHeldBytes = maxHeldBytes;
        changesThrough = Math.max(0, startRevision - 1);
    }

    /** The event that this answer completes; null when it completes none. */
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
                        "etcd told a change at revision %d after it had told progress through %d"
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

    /** Moves the revision that was held back, now complete, behind those before it. */
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
