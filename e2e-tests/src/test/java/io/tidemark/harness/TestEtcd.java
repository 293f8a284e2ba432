package io.tidemark.harness;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.RangeScan;
import io.tidemark.etcd.Txn;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A real etcd for one test, with methods that write into it. */
public final class TestEtcd implements AutoCloseable {
    private static final int WRITES_PER_TRANSACTION = 100;

    /** A busy machine may take seconds to connect for the first time. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EtcdProcess process;
    private final String endpoint;
    private final EtcdClient client;

    /** With the security of the run. */
    public TestEtcd(Path data) throws Exception {
        this(data, Security.ofRun());
    }

    public TestEtcd(Path data, Security security) throws Exception {
        EtcdSettings settings = EtcdSettings.forTests(data);
        if (security == Security.PLAIN) {
            process = EtcdProcess.start(EtcdBinary.find(), settings);
            endpoint = process.endpoint();
        } else {
            int plain = Ports.pickFree("127.0.0.1");
            int port = Ports.pickFree("127.0.0.1");
            List<String> flags = new ArrayList<>(settings.flags());
            flags.addAll(security.etcdFlags(plain, port));
            process =
                    EtcdProcess.start(
                            EtcdBinary.find(),
                            settings.withClientPort(plain).withFlags(flags.toArray(String[]::new)));
            endpoint = "https://127.0.0.1:" + port;
        }
        client = new EtcdClient(security.etcd(endpoint).withTimeouts(PATIENCE, PATIENCE));
    }

    /** One that begins with a snapshot's content. */
    public static TestEtcd restored(Path data, Path snapshot) throws Exception {
        EtcdProcess.restoreSnapshot(EtcdBinary.find(), snapshot, EtcdSettings.forTests(data));
        return new TestEtcd(data);
    }

    public String endpoint() {
        return endpoint;
    }

    /** The server's process id, to pause and continue it. */
    public long pid() {
        return process.pid();
    }

    public EtcdClient client() {
        return client;
    }

    public static String configMap(String namespace, String name, String value) {
        return """
        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s",\
        "labels":{"app":"%s"}},"data":{"value":"%s"}}
        """
                .formatted(name, namespace, "app-" + name.length() % 3, value);
    }

    public static Bytes configMapKey(String namespace, String name) {
        return Bytes.utf8("/registry/configmaps/" + namespace + "/" + name);
    }

    public long putConfigMap(String namespace, String name, String value) {
        return client.put(
                configMapKey(namespace, name), Bytes.utf8(configMap(namespace, name, value)));
    }

    /** Writes config maps over ten namespaces, many in one transaction. */
    public void putConfigMaps(int count, String value) {
        List<Op> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String namespace = "ns-" + i % 10;
            String name = "cm-" + i;
            writes.add(
                    new Op.Put(
                            configMapKey(namespace, name),
                            Bytes.utf8(configMap(namespace, name, value))));
            if (writes.size() == WRITES_PER_TRANSACTION || i == count - 1) {
                client.txn(Txn.of(writes.toArray(Op[]::new)));
                writes.clear();
            }
        }
    }

    /** Every key below a prefix with its mod revision. */
    public Map<String, Long> keys(String prefix) {
        Map<String, Long> keys = new TreeMap<>();
        RangeScan scan = client.scan(RangeRequest.prefix(Bytes.utf8(prefix)).withKeysOnly(), 5_000);
        for (Optional<RangePage> page = scan.nextPage(); page.isPresent(); page = scan.nextPage()) {
            for (KeyValue pair : page.get().keyValues()) {
                keys.put(pair.key().utf8(), pair.modRevision());
            }
        }
        return keys;
    }

    @Override
    public void close() {
        client.close();
        process.close();
    }
}
