package io.tidemark.query.catalog;

import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadableRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An in-memory partition view with pages of two, a floor and epochs. */
final class FakePartition extends LonePartition {
    private static final int PAGE = 2;

    private final TreeMap<Bytes, StoredObject> objects = new TreeMap<>();
    private final List<ObjectChange> history = new ArrayList<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private PartitionState state = PartitionState.EMPTY;

    synchronized void put(StoredObject object) {
        StoredObject previous = objects.put(object.key(), object);
        change(object.revision(), object.key(), object, previous);
    }

    synchronized void delete(Bytes key, long revision) {
        change(revision, key, null, objects.remove(key));
    }

    private void change(
            long revision,
            Bytes key,
            @Nullable StoredObject current,
            @Nullable StoredObject previous) {
        history.add(new ObjectChange(revision, 0, key, current, previous));
        mark(1, state.floor(), revision);
    }

    /** Advances watermark and floor; drops changes below the floor. */
    synchronized void mark(long epoch, long floor, long watermark) {
        history.removeIf(change -> change.revision() <= floor);
        state = new PartitionState(true, epoch, 1, floor, watermark, watermark, 0, 0, 0, "");
        listeners.forEach(Runnable::run);
    }

    /** Begins another history without objects. */
    synchronized void forgetAll(long epoch) {
        objects.clear();
        history.clear();
        mark(epoch, 1, 1);
    }

    synchronized int listeners() {
        return listeners.size();
    }

    @Override
    public synchronized PartitionState state() {
        return state;
    }

    @Override
    protected synchronized ReadOutcome<?> answer(ReadRequest<?> request) {
        return switch (request) {
            case ScanRequest scan -> scan(scan);
            case ChangesRequest changes -> changes(changes);
            case UnreadableRequest _ ->
                    new ReadOutcome.Served<>(new UnreadablePage(List.of(), false));
            default -> super.answer(request);
        };
    }

    private ReadOutcome<ScanPage> scan(ScanRequest request) {
        List<StoredObject> page = new ArrayList<>();
        for (StoredObject object : objects.tailMap(request.fromKeyInclusive()).values()) {
            if (object.key().startsWith(request.prefix())) {
                if (page.size() == PAGE) {
                    return new ReadOutcome.Served<>(new ScanPage(page, Optional.of(object.key())));
                }
                page.add(object);
            }
        }
        return new ReadOutcome.Served<>(new ScanPage(page, Optional.empty()));
    }

    private ReadOutcome<ChangePage> changes(ChangesRequest request) {
        if (request.afterRevision() < state.floor()) {
            return new ReadOutcome.Expired<>(state.floor());
        }
        List<ObjectChange> page =
                history.stream()
                        .filter(change -> !request.after().covers(change))
                        .filter(change -> change.key().startsWith(request.prefix()))
                        .limit(PAGE)
                        .toList();
        return new ReadOutcome.Served<>(
                new ChangePage(
                        page,
                        page.size() == PAGE
                                ? ChangePosition.of(page.getLast())
                                : ChangePosition.endOf(state.watermark())));
    }

    @Override
    public synchronized Subscription onChange(Runnable listener) {
        listeners.add(listener);
        return () -> {
            synchronized (this) {
                listeners.remove(listener);
            }
        };
    }
}
