package io.tidemark.standalone.doctor;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds undeclared Kubernetes roots: directories directly below the mirrored prefix that hold
 * {@code secrets/}. Reads two keys, without values, for each of the first {@value #MAX_DIRECTORIES}
 * directories.
 */
final class UndeclaredRoots {
    private static final int MAX_DIRECTORIES = 50;
    private static final Bytes SECRETS = Bytes.utf8("secrets/");

    private final EtcdClient client;
    private final Bytes prefix;
    private final KubernetesRoots declared;

    UndeclaredRoots(EtcdClient client, Bytes prefix, KubernetesRoots declared) {
        this.client = client;
        this.prefix = prefix;
        this.declared = declared;
    }

    List<Bytes> find() {
        List<Bytes> found = new ArrayList<>();
        if (declared.rootOf(prefix).isPresent()) {
            return found;
        }
        Optional<Bytes> key = firstKey(prefix, prefix.prefixEnd());
        for (int i = 0; i < MAX_DIRECTORIES && key.isPresent(); i++) {
            Optional<Bytes> directory = directoryOf(key.get());
            Bytes next = directory.map(Bytes::prefixEnd).orElseGet(key.get()::successor);
            directory.filter(this::isUndeclaredRoot).ifPresent(found::add);
            key = firstKey(next, prefix.prefixEnd());
        }
        return found;
    }

    private boolean isUndeclaredRoot(Bytes directory) {
        Bytes secrets = directory.concat(SECRETS);
        return declared.rootOf(directory).isEmpty()
                && firstKey(secrets, secrets.prefixEnd()).isPresent();
    }

    /** The key through its first path segment below the prefix; empty if no slash ends one. */
    private Optional<Bytes> directoryOf(Bytes key) {
        int from = prefix.length();
        while (from < key.length() && key.at(from) == '/') {
            from++;
        }
        for (int at = from; at < key.length(); at++) {
            if (key.at(at) == '/') {
                return Optional.of(key.slice(0, at + 1));
            }
        }
        return Optional.empty();
    }

    private Optional<Bytes> firstKey(Bytes from, Bytes endExclusive) {
        RangePage page =
                client.range(RangeRequest.range(from, endExclusive).withKeysOnly().limit(1));
        return page.keyValues().stream().map(KeyValue::key).findFirst();
    }
}
