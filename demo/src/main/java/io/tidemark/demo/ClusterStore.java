package io.tidemark.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.etcd.Compare;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.RangeScan;
import io.tidemark.etcd.Txn;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes the cluster's objects in etcd like an API server: every write is a transaction
 * that fails if the key has changed since it was read.
 */
final class ClusterStore {
    private static final int PAGE_KEYS = 500;

    private final EtcdClient etcd;
    private final Bytes prefix;

    private final InstantSource clock;

    ClusterStore(EtcdClient etcd, Bytes prefix, InstantSource clock) {
        this.etcd = etcd;
        this.prefix = prefix;
        this.clock = clock;
    }

    /**
     * An object as read; callers may change {@code json} and pass it to {@link #update}.
     *
     * @param key below the prefix
     */
    record Stored(Bytes key, long modRevision, ObjectNode json) {
        String name() {
            return json.at("/metadata/name").asText();
        }

        String namespace() {
            return json.at("/metadata/namespace").asText();
        }
    }

    /** Returns false if the key exists. */
    boolean create(Bytes key, ObjectNode json) {
        return create(key, json, 0);
    }

    boolean create(Bytes key, ObjectNode json, long lease) {
        Bytes whole = prefix.concat(key);
        return write(new Compare.ModRevisionIs(whole, 0), new Op.Put(whole, bytes(json), lease));
    }

    /** Writes {@code changed.json()} with an update time; false after a concurrent write. */
    boolean update(Stored changed) {
        JsonNode managed = changed.json().at("/metadata/managedFields");
        if (managed.path(managed.size() - 1) instanceof ObjectNode last) {
            last.put("time", RandomValues.seconds(clock.instant()));
        }
        Bytes whole = prefix.concat(changed.key());
        return write(
                new Compare.ModRevisionIs(whole, changed.modRevision()),
                new Op.Put(whole, bytes(changed.json())));
    }

    /** Returns false after a concurrent write. */
    boolean delete(Stored stored) {
        Bytes whole = prefix.concat(stored.key());
        return write(new Compare.ModRevisionIs(whole, stored.modRevision()), new Op.Delete(whole));
    }

    private boolean write(Compare guard, Op op) {
        return etcd.txn(Txn.guarded(List.of(guard), List.of(op))).succeeded();
    }

    /** Empty also for a value that is not a JSON object, so not of the demo. */
    Optional<Stored> read(Bytes key) {
        return etcd.get(prefix.concat(key)).flatMap(this::parse);
    }

    List<Stored> list(String directory) {
        List<Stored> objects = new ArrayList<>();
        RangeScan scan =
                etcd.scan(
                        RangeRequest.prefix(prefix.concat(Bytes.utf8(directory + "/"))), PAGE_KEYS);
        for (Optional<RangePage> page = scan.nextPage(); page.isPresent(); page = scan.nextPage()) {
            page.get().keyValues().forEach(one -> parse(one).ifPresent(objects::add));
        }
        return objects;
    }

    /** The keys of all objects in a directory, below the prefix. */
    List<Bytes> keys(String directory) {
        return etcd
                .range(
                        RangeRequest.prefix(prefix.concat(Bytes.utf8(directory + "/")))
                                .withKeysOnly())
                .keyValues()
                .stream()
                .map(one -> one.key().slice(prefix.length(), one.key().length()))
                .toList();
    }

    private Optional<Stored> parse(KeyValue keyValue) {
        try {
            JsonNode json = Templates.JSON.readTree(keyValue.value().array());
            Bytes key = keyValue.key().slice(prefix.length(), keyValue.key().length());
            return json instanceof ObjectNode object
                    ? Optional.of(new Stored(key, keyValue.modRevision(), object))
                    : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private static Bytes bytes(ObjectNode json) {
        try {
            return Bytes.wrap(Templates.JSON.writeValueAsBytes(json));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
