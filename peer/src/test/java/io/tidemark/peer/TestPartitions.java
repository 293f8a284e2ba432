package io.tidemark.peer;

import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A node's own replicas, each with one object that contains the node and partition. */
public final class TestPartitions implements PartitionDirectory {
    private final int partitions;
    private final String node;
    private final Map<Integer, Partition> views = new ConcurrentHashMap<>();

    public TestPartitions(int partitions, String node) {
        this.partitions = partitions;
        this.node = node;
    }

    public void become(int partition, long watermark) {
        at(partition, new PartitionState(true, 1, 1, 0, watermark, watermark, 0, watermark, 0, ""));
    }

    /** Adds a change, which becomes the replica's watermark. */
    public void change(int partition, ObjectChange change) {
        ((Partition) view(partition)).changes.add(change);
        become(partition, change.revision());
    }

    /** Whether all reads of changes are refused. */
    public void muteChanges(int partition, boolean muted) {
        ((Partition) view(partition)).muted = muted;
    }

    /** Reads of changes wait until the disk answers. */
    public void stallChanges(int partition, CountDownLatch disk) {
        ((Partition) view(partition)).disk = disk;
    }

    /** Has this page in memory. */
    public void keepRecent(int partition, ChangePage page) {
        ((Partition) view(partition)).recent = Optional.of(page);
    }

    public void lose(int partition) {
        at(partition, PartitionState.EMPTY);
    }

    private void at(int partition, PartitionState state) {
        Partition view = (Partition) view(partition);
        view.state = state;
        view.listeners.forEach(Runnable::run);
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public PartitionView view(int partition) {
        return views.computeIfAbsent(partition, p -> new Partition(p, node));
    }

    public static String text(ReadOutcome<Optional<StoredObject>> outcome) {
        return outcome instanceof ReadOutcome.Served<Optional<StoredObject>>(var object)
                ? object.orElseThrow().valueText()
                : outcome.toString();
    }

    private static final class Partition implements PartitionView {
        private final int partition;
        private final String node;
        private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
        private final List<ObjectChange> changes = new CopyOnWriteArrayList<>();
        private volatile PartitionState state = PartitionState.EMPTY;
        private volatile Optional<ChangePage> recent = Optional.empty();
        private volatile boolean muted;
        private volatile CountDownLatch disk = new CountDownLatch(0);

        Partition(int partition, String node) {
            this.partition = partition;
            this.node = node;
        }

        @Override
        public int partition() {
            return partition;
        }

        @Override
        public PartitionState state() {
            return state;
        }

        @Override
        @SuppressWarnings("unchecked") // A request is typed by its answer.
        public <T> ReadOutcome<T> read(ReadRequest<T> request) {
            ReadOutcome<?> outcome =
                    switch (request) {
                        case GetRequest get -> served(Optional.of(object(get.key())));
                        case ScanRequest scan ->
                                served(
                                        new ScanPage(
                                                List.of(object(scan.prefix())), Optional.empty()));
                        case ChangesRequest changes -> changes(changes);
                        case VersionsRequest versions ->
                                served(new VersionPage(List.of(), versions.throughRevision(), 1));
                        case RevisionAtRequest _ ->
                                served(new RevisionAtTime(OptionalLong.empty(), true, 0));
                        case UnreadableRequest _ -> served(new UnreadablePage(List.of(), false));
                    };
            return (ReadOutcome<T>) outcome;
        }

        @Override
        public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
            return recent;
        }

        private ReadOutcome<ChangePage> changes(ChangesRequest request) {
            long through = Math.min(request.throughRevision(), state.watermark());
            List<ObjectChange> page =
                    changes.stream()
                            .filter(each -> !request.after().covers(each))
                            .filter(each -> each.revision() <= through)
                            .toList();
            try {
                disk.await();
            } catch (InterruptedException _) {
                return new ReadOutcome.ReplicaUnavailable<>("interrupted");
            }
            if (page.size() > request.maxChanges()) {
                ObjectChange next = page.get(request.maxChanges());
                page = page.subList(0, request.maxChanges());
                ChangePosition end = ChangePosition.of(page.getLast());
                return served(new ChangePage(page, end.endedBy(next.revision())));
            }
            return muted
                    ? new ReadOutcome.ReplicaUnavailable<>("muted")
                    : served(new ChangePage(page, Math.max(request.afterRevision(), through)));
        }

        private <T> ReadOutcome<T> served(T value) {
            return state.ready()
                    ? new ReadOutcome.Served<>(value)
                    : new ReadOutcome.ReplicaUnavailable<>("not ready");
        }

        private StoredObject object(Bytes key) {
            return TestObjects.of(key, node + "/" + partition, 1);
        }

        @Override
        public Subscription onChange(Runnable listener) {
            Runnable registered = listener::run;
            listeners.add(registered);
            return () -> listeners.remove(registered);
        }
    }
}
