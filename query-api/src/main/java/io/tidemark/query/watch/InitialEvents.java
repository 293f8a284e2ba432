package io.tidemark.query.watch;

import io.tidemark.query.group.GroupReader;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.query.group.ObjectScans;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events with which a watch that does not start at a revision begins: the current objects, and
 * the bookmark that ends them. For one thread, except {@link #sent}.
 */
public final class InitialEvents {
    private final ClusterView view;
    private final WatchFilter filter;
    private final EventEncoder form;
    private final EventSink sink;
    private final AtomicLong sent = new AtomicLong();

    /** Of the objects that were sent, as they are stored. */
    private long bytes;

    public InitialEvents(ClusterView view, WatchFilter filter, EventEncoder form, EventSink sink) {
        this.view = view;
        this.filter = filter;
        this.form = form;
        this.sink = sink;
    }

    /**
     * The state that the watch begins with.
     *
     * @param revision the number of {@code resourceVersion}
     */
    public static RequestedState state(String resourceVersion, long revision) {
        if (resourceVersion.isEmpty()) {
            return new RequestedState.Latest();
        }
        return revision == 0
                ? new RequestedState.Any()
                : new RequestedState.NotOlderThan(revision, resourceVersion);
    }

    /** How many objects have been sent. Thread-safe. */
    public long sent() {
        return sent.get();
    }

    /**
     * Sends the objects at one revision.
     *
     * @param bookmark whether a bookmark marks their end
     * @return false when the form does not support events and the watch must end
     * @throws io.tidemark.serving.status.StatusException 410 when the revision is compacted
     *     meanwhile
     * @throws IOException when the client has disconnected
     */
    public boolean send(ReadPoint at, PageLimits pages, ReadAllowance allowance, boolean bookmark)
            throws IOException, InterruptedException {
        try {
            ObjectScans scans =
                    (projection, from) ->
                            view.scan(
                                    filter.scope(),
                                    filter.selection(),
                                    from,
                                    at,
                                    pages,
                                    projection,
                                    allowance);
            boolean unselected = filter.selection().requirements().isEmpty();
            Object objects = List.of(InitialEvents.class, filter.scope());
            if (unselected && sink.copiesGroups(form, objects)) {
                long unused = new GroupReader(scans, form.projection()).read(new Sender());
            } else if (!sendAll(scans.begin(form.projection()))) {
                return false;
            }
            if (unselected) {
                sink.sentInitial(objects, bytes);
            }
        } catch (RevisionExpiredException e) {
            throw e.replacement()
                    .orElseGet(() ->
                            StatusErrors.watchExpired(Long.toString(at.revision()), e.floor()));
        }
        if (bookmark) {
            if (!form.supportsEvents()) {
                return false;
            }
            sink.send(form.bookmark(at.revision(), true));
        }
        sink.flush();
        return true;
    }

    /**
     * @return false when the form does not support events
     */
    private boolean sendAll(MergedScan scan) throws IOException, InterruptedException {
        for (StoredObject object = scan.next(); object != null; object = scan.next()) {
            if (filter.serves(object)) {
                if (!form.supportsEvents()) {
                    return false;
                }
                send(object);
            }
            scan.release(object);
        }
        return true;
    }

    private void send(StoredObject object) throws IOException, InterruptedException {
        sink.sendInitial(object, form);
        bytes += object.stored().length;
        sent.incrementAndGet();
    }

    /** Sends groups that other watches have left compressed, and the objects of other ones. */
    private final class Sender implements GroupReader.Taker {
        @Override
        public boolean copy(ObjectGroup group) throws IOException, InterruptedException {
            boolean copied = sink.copy(group, form);
            bytes += copied ? group.bytes() : 0;
            sent.addAndGet(copied ? group.objects().size() : 0);
            return copied;
        }

        @Override
        public void take(StoredObject object) throws IOException, InterruptedException {
            if (filter.serves(object)) {
                send(object);
            }
        }
    }
}
