package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.HashRange;
import io.tidemark.waits.LongTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four reflectors, each of a quarter of the hashes of uids or of namespaces, hold each object
 * exactly once while objects, their labels, uids and namespaces come and go. {@code
 * -Dtidemark.sharded} sets how many objects there are.
 */
@LongTest
class ShardedReflectorsIT {
    private static final int OBJECTS = Integer.getInteger("tidemark.sharded", 2_000);
    private static final int CHANGES = 1_000;
    private static final int SHARDS = 4;
    private static final int NAMESPACES = 40;
    private static final int AT_ONCE = 100;
    private static final List<String> ENDS = List.of("0", "4", "8", "c", "10");
    private static final String LAST = "last";
    private static final String PREFIX = "/registry/configmaps/";

    @TempDir private Path folder;

    private final Random random = new Random(5866);

    @Test
    void eachObjectIsInOneShard() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            write(etcd, OBJECTS);
            try (TidemarkProcess tidemark =
                            TidemarkProcess.up(folder.resolve("data"), etcd.endpoint());
                    ExecutorService threads =
                            Executors.newFixedThreadPool(
                                    2 * SHARDS, Thread.ofVirtual().factory())) {
                List<Shard> shards = new ArrayList<>();
                for (String field : List.of("uid", "namespace")) {
                    for (int i = 0; i < SHARDS; i++) {
                        shards.add(new Shard(tidemark.api(), field, i));
                    }
                }
                for (Shard each : shards) {
                    each.list();
                }
                assertEachOnce(shards, etcd);
                List<Future<?>> following = new ArrayList<>();
                for (Shard each : shards) {
                    following.add(
                            threads.submit(() -> {
                                each.follow();
                                return null;
                            }));
                }
                write(etcd, CHANGES);
                finish(etcd);
                for (Future<?> each : following) {
                    each.get();
                }
                assertEachOnce(shards, etcd);
            }
        }
    }

    private static void assertEachOnce(List<Shard> shards, TestEtcd etcd) {
        for (String field : List.of("uid", "namespace")) {
            Map<String, String> together = new TreeMap<>();
            for (Shard shard : shards) {
                if (shard.field.equals(field)) {
                    shard.store
                            .versions()
                            .forEach((name, version) ->
                                    assertThat(together.put(name, version)).as(name).isNull());
                }
            }
            Map<String, String> expected = new TreeMap<>();
            etcd.keys(PREFIX)
                    .forEach((key, revision) ->
                            expected.put(key.substring(PREFIX.length()), revision.toString()));
            assertThat(together).as(field).isEqualTo(expected);
        }
    }

    /** Changes of objects at random: puts, some of them with another uid or label, and deletes. */
    private void write(TestEtcd etcd, int changes) {
        for (int done = 0; done < changes; done += AT_ONCE) {
            Map<Bytes, Op> ops = new TreeMap<>();
            while (ops.size() < AT_ONCE) {
                String namespace = "ns-" + random.nextInt(NAMESPACES);
                String name = "cm-" + random.nextInt(OBJECTS / NAMESPACES * 2);
                Bytes key = TestEtcd.configMapKey(namespace, name);
                boolean delete = changes < OBJECTS && random.nextInt(4) == 0;
                ops.put(
                        key,
                        delete ? new Op.Delete(key) : put(key, namespace, name, random.nextInt(3)));
            }
            etcd.client().txn(Txn.of(ops.values().toArray(Op[]::new)));
        }
    }

    /**
     * @param life which of the objects that had this name, one after the other
     */
    private Op put(Bytes key, String namespace, String name, int life) {
        UUID uid =
                UUID.nameUUIDFromBytes((namespace + name + life).getBytes(StandardCharsets.UTF_8));
        return put(key, namespace, name, uid.toString());
    }

    private Op put(Bytes key, String namespace, String name, String uid) {
        String json =
                """
                {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s",\
                "uid":"%s","labels":{"turn":"t%d"}}}\
                """
                        .formatted(name, namespace, uid, random.nextInt(5));
        return new Op.Put(key, Bytes.utf8(json));
    }

    /** Puts an object called {@code last} into each shard, whichever field divides. */
    private void finish(TestEtcd etcd) {
        Op[] last = new Op[SHARDS];
        for (int i = 0; i < SHARDS; i++) {
            String namespace = inShard(i);
            Bytes key = TestEtcd.configMapKey(namespace, LAST);
            last[i] = put(key, namespace, LAST, inShard(i));
        }
        etcd.client().txn(Txn.of(last));
    }

    private String inShard(int shard) {
        while (true) {
            String text = new UUID(random.nextLong(), random.nextLong()).toString();
            if (HashRange.hash(text) >>> 62 == shard) {
                return text;
            }
        }
    }

    /** A reflector of one shard. */
    private static final class Shard {
        private final Api api;
        private final String field;
        private final String path;
        private final ReflectorStore store = new ReflectorStore();

        Shard(Api api, String field, int number) {
            this.api = api;
            this.field = field;
            String selector =
                    "shardRange(object.metadata.%s, '0x%s000000000000000', '0x%s000000000000000')"
                            .formatted(field, ENDS.get(number), ENDS.get(number + 1));
            path =
                    "/api/v1/configmaps?shardSelector="
                            + URLEncoder.encode(selector, StandardCharsets.UTF_8);
        }

        void list() throws Exception {
            String token = "";
            do {
                JsonNode page = api.list(path + "&limit=300" + token);
                assertThat(page.at("/metadata/shardInfo/selector").asText()).contains(field);
                store.add(page);
                String next = page.at("/metadata/continue").asText();
                token = next.isEmpty() ? "" : "&continue=" + next;
            } while (!token.isEmpty());
        }

        /** Takes events until that of the last object; no bookmark was asked for. */
        void follow() throws Exception {
            try (Api.WatchStream watch =
                    api.watch(
                            path
                                    + "&watch=true&timeoutSeconds=300&resourceVersion="
                                    + store.resourceVersion())) {
                store.follow(
                        watch,
                        event -> {
                            assertThat(event.path("type").asText()).isNotEqualTo("BOOKMARK");
                            return event.at("/object/metadata/name").asText().equals(LAST);
                        });
            }
        }
    }
}
