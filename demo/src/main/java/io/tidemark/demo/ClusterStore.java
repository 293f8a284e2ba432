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
 * The cluster's objects in etcd, read and written as an API server does: every write is a
 * transaction that fails if the key is not as it was read.
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
     * An object as read; {@code json} is the reader's own, to change and hand to {@link #update}.
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

    /** False if the key is there already. */
    boolean create(Bytes key, ObjectNode json) {
        return create(key, json, 0);
    }

    boolean create(Bytes key, ObjectNode json, long lease) {
        Bytes whole = prefix.concat(key);
        return write(new Compare.ModRevisionIs(whole, 0), new Op.Put(whole, bytes(json), lease));
    }

    /** Writes {@code changed.json()}, noting when; false if somebody else was faster. */
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

    /** False if somebody else was faster. */
    boolean delete(Stored stored) {
        Bytes whole = prefix.concat(stored.key());
        return write(new Compare.ModRevisionIs(whole, stored.modRevision()), new Op.Delete(whole));
    }

    private boolean write(Compare guard, Op op) {
        return etcd.txn(Txn.guarded(List.of(guard), List.of(op))).succeeded();
    }

    /** Empty also for a value that is no object in JSON: not one of ours. */
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

    /** Of every object in a directory, below the prefix. */
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
