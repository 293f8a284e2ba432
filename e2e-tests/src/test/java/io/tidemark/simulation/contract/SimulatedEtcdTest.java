package io.tidemark.simulation.contract;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.etcd.SimulatedEtcdSource;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.ReferenceModel;
import io.tidemark.simulation.world.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated etcd keeps the contract, with any delays. */
@ParameterizedClass
@ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
final class SimulatedEtcdTest extends EtcdContract implements EtcdUnderTest {
    @RegisterExtension private final InVirtualTime run;
    private final FakeEtcd etcd;
    private final SimulatedEtcdSource source;

    SimulatedEtcdTest(long seed) {
        run = new InVirtualTime(seed);
        etcd = new FakeEtcd(run.scheduler(), new ReferenceModel(Settings::isMirrored));
        etcd.notifiesProgressBelowStart(seed % 2 == 0);
        source = new SimulatedEtcdSource(etcd, Mutation.NONE, run.process());
    }

    @Override
    EtcdUnderTest etcd() {
        return this;
    }

    @Override
    public EtcdSource source() {
        return source;
    }

    @Override
    public long write(Map<String, @Nullable String> writes) {
        return etcd.transact(payloads(writes), 0);
    }

    private static Map<Bytes, @Nullable Payload> payloads(Map<String, @Nullable String> writes) {
        Map<Bytes, @Nullable Payload> payloads = new LinkedHashMap<>();
        writes.forEach((key, value) ->
                payloads.put(Bytes.utf8(key), value == null ? null : Payload.raw(value)));
        return payloads;
    }

    @Override
    public void deleteAll(String prefix) {
        Map<Bytes, @Nullable Payload> deletes = new LinkedHashMap<>();
        etcd.keys(Bytes.utf8(prefix)).forEach(key -> deletes.put(key, null));
        etcd.transact(deletes, 0);
    }

    @Override
    public long putLeased(Set<String> keys) {
        long lease = etcd.grantLease();
        Map<String, @Nullable String> writes = new LinkedHashMap<>();
        keys.forEach(key -> writes.put(key, "leased"));
        etcd.transact(payloads(writes), lease);
        return lease;
    }

    @Override
    public void endLease(long lease) {
        etcd.expireLease(lease);
    }

    @Override
    public void compact(long revision) {
        etcd.compact(revision);
    }

    @Override
    public void breakConnections() {
        etcd.breakStreams();
    }

    @Override
    public void reachable(boolean now) {
        etcd.reachable(now);
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return run.await(condition);
    }
}
