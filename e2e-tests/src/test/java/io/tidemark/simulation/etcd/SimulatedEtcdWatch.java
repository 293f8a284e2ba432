package io.tidemark.simulation.etcd;

import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.simulation.model.RevisionChange;
import io.tidemark.simulation.world.Coroutine;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A watch on the fake etcd, which the feed's coroutine polls. */
public final class SimulatedEtcdWatch implements EtcdWatch, FakeWatchStream.Listener {
    private final FakeEtcd etcd;
    private final Coroutine reader;
    private final FakeWatchStream stream;
    private final Deque<WatchEvent> arrived = new ArrayDeque<>();
    private boolean ended;

    public SimulatedEtcdWatch(FakeEtcd etcd, long fromRevision, Coroutine reader)
            throws FakeEtcd.Unreachable {
        this.etcd = etcd;
        this.reader = reader;
        this.stream = etcd.watch(Settings.PREFIX, fromRevision, this);
    }

    /** Waits until it is created, and throws the failure when it is not. */
    public void awaitCreated(long maxMillis) {
        boolean responded = reader.await(() -> !arrived.isEmpty(), maxMillis);
        if (!responded) {
            close();
            throw new EtcdException(EtcdException.Kind.DEADLINE, "the watch was not created", null);
        }
        if (arrived.getFirst() instanceof WatchEvent.Failed(EtcdException cause)) {
            throw cause;
        }
    }

    @Override
    public Optional<WatchEvent> next(Duration timeout) {
        boolean some = reader.await(() -> !arrived.isEmpty(), SimulatedProcess.millis(timeout));
        if (!some) {
            return Optional.empty();
        }
        boolean isLast = arrived.peekFirst() instanceof WatchEvent.End;
        ended |= isLast;
        return Optional.of(isLast ? arrived.getFirst() : arrived.removeFirst());
    }

    @Override
    public ProgressSupport progressSupport() {
        return ProgressSupport.MANUAL;
    }

    @Override
    public boolean requestProgress() {
        if (ended) {
            return false;
        }
        stream.requestProgress();
        return true;
    }

    @Override
    public void close() {
        stream.close();
        fail(EtcdException.Kind.OTHER, "closed by its reader");
    }

    private void fail(EtcdException.Kind kind, String why) {
        arrive(new WatchEvent.Failed(new EtcdException(kind, why, null)));
    }

    private void arrive(WatchEvent event) {
        arrived.addLast(event);
        reader.signal();
    }

    @Override
    public void onOpened(long clusterId, long revision) {
        arrive(new WatchEvent.Created(revision, clusterId));
    }

    @Override
    public void onChanges(List<RevisionChange> facts, long throughRevision) {
        List<KeyChange> changes = facts.stream().map(SimulatedEtcdWatch::change).toList();
        arrive(new WatchEvent.Changes(changes, throughRevision, etcd.revision()));
    }

    private static KeyChange change(RevisionChange fact) {
        return fact.current() == null
                ? new KeyChange.Delete(fact.key(), fact.revision(), null)
                : new KeyChange.Put(SimulatedEtcdSource.keyValue(fact.current()), null);
    }

    @Override
    public void onProgress(long revision) {
        arrive(new WatchEvent.Progress(revision));
    }

    @Override
    public void onCompacted(long compactedRevision) {
        arrive(new WatchEvent.Compacted(compactedRevision));
    }

    @Override
    public void onLost(String why) {
        fail(EtcdException.Kind.UNAVAILABLE, why);
    }
}
