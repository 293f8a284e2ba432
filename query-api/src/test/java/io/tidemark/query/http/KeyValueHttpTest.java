package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyValueHttpTest {
    private static final Bytes STRANGE =
            Bytes.utf8("/registry/x/").concat(Bytes.wrap(new byte[] {(byte) 0xff, 0, '%', '?'}));

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        raw("/registry/x/a", "hello"); // 101
        raw("/registry/x/a", "hello again"); // 102
        cluster.raw(STRANGE, new byte[] {(byte) 0xfe, 1}, ""); // 103
        cluster.pod("ns", "p", Map.of()); // 104
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private long raw(String key, String value) {
        return cluster.raw(Bytes.utf8(key), value.getBytes(StandardCharsets.UTF_8), "");
    }

    private Answer get(String path) throws Exception {
        return fixture.client.get(path);
    }

    @Test
    void servesTheBytesOfAKey() throws Exception {
        for (String path : new String[] {"/kv/registry/x/a", "/kv/%2Fregistry%2Fx%2Fa"}) {
            Answer answer = get(path);
            assertThat(answer.text()).isEqualTo("hello again");
            assertThat(answer.header("X-Etcd-Mod-Revision")).isEqualTo("102");
            assertThat(answer.header("X-Etcd-Create-Revision")).isEqualTo("101");
            assertThat(answer.header("X-Etcd-Version")).isEqualTo("2");
            assertThat(answer.header("Content-Type")).isEqualTo("application/octet-stream");
        }
        assertThat(get("/kv/registry/x/a?output=json").text())
                .isEqualTo(
                        "{\"key\":\"/registry/x/a\",\"value\":\"hello again\","
                                + "\"createRevision\":101,\"modRevision\":102,\"version\":2}\n");
        assertThat(get("/kv/registry/x/a?resourceVersion=0").status()).isEqualTo(200);
        assertThat(get("/kv//registry/x/a").text()).isEqualTo("hello again");
    }

    @Test
    void servesKeysOfAnyBytes() throws Exception {
        Answer answer = get("/kv?key=/registry/x/%ff%00%25%3f&output=json");
        assertThat(answer.json().path("keyBase64").asText()).isEqualTo("L3JlZ2lzdHJ5L3gv/wAlPw==");
        assertThat(answer.json().path("valueBase64").asText()).isEqualTo("/gE=");
        Answer page = get("/kv/registry/x/?limit=1");
        Answer next = get("/kv/registry/x/?limit=1&continue=" + page.continueToken());
        assertThat(next.json().at("/items/0/keyBase64").asText())
                .isEqualTo("L3JlZ2lzdHJ5L3gv/wAlPw==");
        cluster.raw(Bytes.utf8("/registry/y/?%#"), new byte[0], "");
        assertThat(get("/kv/registry/y/%3f%25%23").header("X-Etcd-Mod-Revision")).isEqualTo("105");
        assertThat(next.continueToken()).isEmpty();
    }

    @Test
    void listsAPrefixAtOneRevision() throws Exception {
        for (String path :
                new String[] {
                    "/kv/registry/x/", "/kv/registry/x?prefix=true", "/kv/registry/x/?prefix"
                }) {
            Answer list = get(path);
            assertThat(list.json().path("kind").asText()).isEqualTo("KeyValueList");
            assertThat(list.resourceVersion()).isEqualTo("104");
            assertThat(list.json().path("items")).hasSize(2);
        }
        Answer past = get("/kv/registry/x/?resourceVersion=101&resourceVersionMatch=Exact");
        assertThat(past.json().at("/items/0/value").asText()).isEqualTo("hello");
        assertThat(get("/kv/").json().path("items")).hasSize(3);
        assertThat(get("/kv/registry/pods/ns/p").header("Content-Type"))
                .isEqualTo("application/json");
    }

    /** A token that names such a key would be longer than those that the server accepts. */
    @Test
    void noPageEndsAtAKeyThatIsTooLongForAToken() throws Exception {
        List<String> keys = new ArrayList<>();
        for (int length : new int[] {900, 1_000, 1_010, 1_020, 1_030, 1_100, 1_500}) {
            keys.add("/registry/z/" + "\u0001".repeat(length));
        }
        keys.add("/registry/z/a");
        keys.add("/registry/z/b");
        keys.forEach(key -> raw(key, "v"));
        List<String> found = new ArrayList<>();
        int pages = 0;
        String token = "";
        do {
            String path = "/kv/registry/z/?limit=1";
            Answer page = get(path + (token.isEmpty() ? "" : "&continue=" + token));
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            found.addAll(page.json().path("items").findValuesAsText("key"));
            token = page.continueToken();
            pages++;
        } while (!token.isEmpty());
        assertThat(found).isEqualTo(keys);
        assertThat(pages).isBetween(4, keys.size() - 1);
    }

    @Test
    void listsFromAKeyOn() throws Exception {
        String from = "/kv/registry/?from=/registry/x/a%00";
        assertThat(get(from).json().path("items")).hasSize(1);
        Answer page = get("/kv/registry/?limit=1&from=/registry/x/a");
        assertThat(page.json().at("/items/0/key").asText()).isEqualTo("/registry/x/a");
        assertThat(page.json().at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
        assertThat(get("/kv/registry/?from=/a").json().path("items")).hasSize(3);
        assertThat(get("/kv/registry/?from=/z").json().path("items")).isEmpty();
        assertThat(get("/kv/registry/?from=registry/x/a").json().path("items"))
                .as("without the first slash")
                .isEqualTo(get("/kv/registry/?from=/registry/x/a").json().path("items"))
                .isNotEmpty();
        Answer past = get(from + "&resourceVersion=101&resourceVersionMatch=Exact");
        assertThat(past.json().path("items")).isEmpty();
        Answer both = get(from + "&limit=1&continue=" + page.continueToken());
        assertThat(both.status()).isEqualTo(400);
        assertThat(both.text()).contains("from may not be given with continue");
    }

    @Test
    void listsWithoutValues() throws Exception {
        Answer list = get("/kv/registry/x/?values=false");
        assertThat(list.json().at("/items/0").toString())
                .isEqualTo(
                        "{\"key\":\"/registry/x/a\",\"createRevision\":101,\"modRevision\":102,"
                                + "\"version\":2}");
        assertThat(list.json().path("items")).hasSize(2);
        assertThat(get("/kv/registry/x/?values=true").text()).contains("hello again");
    }

    @Test
    void namesTheHistoryOfEveryAnswer() throws Exception {
        String history = get("/kv/registry/x/").header("X-Tidemark-History");
        assertThat(history).matches("[0-9a-f]+-1");
        assertThat(get("/kv/registry/x/").header("X-Tidemark-Floor")).isEqualTo("100");
        assertThat(get("/kv/registry/x/a").header("X-Tidemark-History")).isEqualTo(history);
        assertThat(get("/kv/registry/x/none").header("X-Tidemark-History")).isEqualTo(history);
        try (Watch watch = fixture.client.watch("/kv/registry/x/?watch&resourceVersion=104")) {
            assertThat(watch.header("X-Tidemark-History")).isEqualTo(history);
            assertThat(watch.header("X-Tidemark-Revision")).isEqualTo("104");
        }
    }

    @Test
    void aFollowerGetsABookmarkAtOnceAndAfterEachBatch() throws Exception {
        String follow = "/kv/registry/?watch&allowWatchBookmarks&watchBookmarkFrequency=0s";
        try (Watch watch = fixture.client.watch(follow + "&resourceVersion=104")) {
            assertBookmark(watch.next(), 104);
            raw("/registry/x/b", "new"); // 105
            assertThat(afterBookmarks(watch, 104).at("/object/modRevision").asLong())
                    .isEqualTo(105);
            assertBookmark(watch.next(), 105);
        }
        try (Watch watch = fixture.client.watch(follow + "&resourceVersion=101")) {
            for (long revision = 102; revision <= 105; revision++) {
                assertThat(watch.next().at("/object/modRevision").asLong()).isEqualTo(revision);
            }
            assertBookmark(watch.next(), 105);
        }
    }

    /** The next event that is no bookmark of a revision. */
    private static JsonNode afterBookmarks(Watch watch, long revision) throws Exception {
        JsonNode next = watch.next();
        while (next.at("/type").asText().equals("BOOKMARK")) {
            assertBookmark(next, revision);
            next = watch.next();
        }
        return next;
    }

    private static void assertBookmark(JsonNode event, long revision) {
        assertThat(event.at("/type").asText()).isEqualTo("BOOKMARK");
        assertThat(event.at("/object/metadata/resourceVersion").asLong()).isEqualTo(revision);
        assertThat(Instant.parse(event.at("/object/asOf").asText()))
                .isAfter(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void watchesKeysAndPrefixes() throws Exception {
        try (Watch prefix = fixture.client.watch("/kv/registry/x/?watch&resourceVersion=104");
                Watch exact = fixture.client.watch("/kv/registry/x/a?watch&resourceVersion=100")) {
            raw("/registry/x/b", "new"); // 105
            cluster.delete(Bytes.utf8("/registry/x/a")); // 106
            JsonNode added = prefix.next();
            assertThat(added.at("/type").asText()).isEqualTo("ADDED");
            assertThat(added.at("/object/value").asText()).isEqualTo("new");
            JsonNode deleted = prefix.next();
            assertThat(deleted.at("/type").asText()).isEqualTo("DELETED");
            assertThat(deleted.at("/object/modRevision").asLong()).isEqualTo(106);
            assertThat(deleted.at("/object/value").asText()).isEqualTo("hello again");
            assertThat(exact.next().at("/object/modRevision").asLong()).isEqualTo(101);
            assertThat(exact.next().at("/object/modRevision").asLong()).isEqualTo(102);
            assertThat(exact.next().at("/object/modRevision").asLong()).isEqualTo(106);
        }
        Answer poll = get("/kv/registry/x/?watch&longPoll&resourceVersion=104&timeoutSeconds=5");
        assertThat(poll.json().path("events").size()).isPositive();
    }

    @Test
    void explainsMissingAndUnmirroredKeys() throws Exception {
        Answer none = get("/kv/registry/x/nothing");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.message()).isEqualTo("key \"/registry/x/nothing\" not found");
        Answer outside = get("/kv/elsewhere/x");
        assertThat(outside.status()).isEqualTo(404);
        assertThat(outside.message())
                .isEqualTo(
                        "/elsewhere/x is not mirrored: only keys that begin with /registry/ are");
        assertThat(get("/kv/registry/x/").status()).isEqualTo(200);
        assertThat(get("/kv/registry/x/?prefix=false").status()).isEqualTo(404);
    }
}
