package io.tidemark.query.testing;

import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.Barrier;
import io.tidemark.serving.freshness.BarrierSource;
import io.tidemark.serving.testing.Json;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A partition whose newest revision, of two Pods, is larger than a page. Its only replica is lost
 * when a reader asks for the second page, until the test returns it.
 */
public final class LostInsideRevision extends LonePartition implements BarrierSource {
    public static final long REVISION = 102;

    private static final ChangePosition INSIDE = new ChangePosition(REVISION, 0);

    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile boolean returned;

    /** Waits until the replica is lost. */
    public boolean awaitLost() throws InterruptedException {
        return asked.await(3, TimeUnit.MINUTES);
    }

    /** Makes the rest of the revision readable. */
    public void returnReplica() {
        returned = true;
    }

    @Override
    public Barrier take(String connector) {
        return new Barrier(1, REVISION);
    }

    @Override
    public PartitionState state() {
        boolean ready = returned || asked.getCount() > 0;
        return new PartitionState(
                ready, 1, 1, 100, REVISION, REVISION, 0, 0, 0, "http://connector.test");
    }

    @Override
    protected ReadOutcome<?> answer(ReadRequest<?> request) {
        return switch (request) {
            case ChangesRequest changes -> changes(changes);
            case GetRequest _ -> new ReadOutcome.Served<>(Optional.empty());
            case RevisionAtRequest _ ->
                    new ReadOutcome.Served<>(
                            new RevisionAtTime(OptionalLong.of(REVISION), true, 1));
            default -> super.answer(request);
        };
    }

    private ReadOutcome<ChangePage> changes(ChangesRequest request) {
        if (request.after().compareTo(INSIDE) < 0) {
            return new ReadOutcome.Served<>(new ChangePage(List.of(pod(0)), INSIDE));
        }
        asked.countDown();
        return returned
                ? new ReadOutcome.Served<>(new ChangePage(List.of(pod(1)), REVISION))
                : new ReadOutcome.ReplicaUnavailable<>("lost by the test");
    }

    private static ObjectChange pod(int index) {
        String name = "p" + index;
        String key = "/registry/pods/a/" + name;
        return new ObjectChange(
                REVISION,
                index,
                Bytes.utf8(key),
                StoredObjects.of(key, REVISION, Json.pod("a", name, REVISION, Map.of(), "")),
                null);
    }
}
