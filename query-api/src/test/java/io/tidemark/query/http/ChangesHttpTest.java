package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.wire.ContinueToken;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rollout in the namespace {@code shop}: the Deployment's image is changed, its ReplicaSet's Pod
 * follows. The cluster is listed at 10:00:00 and changes each second.
 */
class ChangesHttpTest {
    private static final String DAY = "2026-11-21T";

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        deployment("v1", 1, 0, "helm"); // 101 at 10:00:01
        replicaSet(); // 102
        pod("Pending"); // 103
        lease(1); // 104
        pod("Running"); // 105
        deployment("v2", 1, 0, "kubectl-edit"); // 106
        event(); // 107
        lease(2); // 108
        deployment("v2", 1, 1, "kubectl-edit"); // 109
        second();
        cluster.delete(Bytes.utf8("/registry/pods/shop/web-1-a")); // 110
        second();
        cluster.pod("other", "elsewhere", Map.of("app", "x")); // 111 at 10:00:11
        fixture =
                new QueryNodeFixture(
                        cluster, config -> config.withSecrets(config.kubernetesRoots(), true));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private void second() {
        cluster.advance(Duration.ofSeconds(1));
    }

    private long put(String key, String json) {
        second();
        return cluster.put(key, at -> json.replace("RV", Long.toString(at)));
    }

    private void deployment(String image, int replicas, int ready, String manager) {
        put(
                "/registry/deployments/shop/web",
                """
                {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web",
                 "namespace":"shop","uid":"d","resourceVersion":"RV","labels":{"app":"web"},
                 "managedFields":[{"manager":"%s","operation":"Update",
                  "time":"2026-11-21T10:00:00Z","fieldsV1":{"f:spec":{"f:template":{"f:spec":
                   {"f:containers":{"k:{\\"name\\":\\"web\\"}":{"f:image":{}}}}}}}}]},
                 "spec":{"replicas":%d,"template":{"spec":{"containers":[
                  {"name":"web","image":"%s"}]}}},"status":{"readyReplicas":%d}}\
                """
                        .formatted(manager, replicas, image, ready));
    }

    private void replicaSet() {
        put(
                "/registry/replicasets/shop/web-1",
                """
                {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-1",
                 "namespace":"shop","uid":"r","resourceVersion":"RV","ownerReferences":[
                  {"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d",
                   "controller":true}]}}\
                """);
    }

    private void pod(String phase) {
        put(
                "/registry/pods/shop/web-1-a",
                """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1-a","namespace":"shop",
                 "uid":"p","resourceVersion":"RV","labels":{"app":"web"},"ownerReferences":[
                  {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":"r",
                   "controller":true}]},"status":{"phase":"%s"}}\
                """
                        .formatted(phase));
    }

    private void lease(int renewals) {
        put(
                "/registry/leases/shop/leader",
                """
                {"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"leader",
                 "namespace":"shop","resourceVersion":"RV"},"spec":{"leaseTransitions":%d}}\
                """
                        .formatted(renewals));
    }

    private void event() {
        put(
                "/registry/events/shop/web-1-a.1",
                """
                {"kind":"Event","apiVersion":"v1","metadata":{"name":"web-1-a.1",
                 "namespace":"shop","resourceVersion":"RV"},"type":"Warning","reason":"BackOff",
                 "message":"back-off restarting","involvedObject":{"apiVersion":"v1","kind":"Pod",
                  "namespace":"shop","name":"web-1-a","uid":"p"}}\
                """);
    }

    private Answer changes(String query) throws Exception {
        Answer answer = fixture.client.get("/changes?" + query);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    /** Asks again until the whole answer is one page: a page ends after 2 s, full or not. */
    private Answer onePage(String query) {
        return await().until(() -> changes(query), page -> page.continueToken().isEmpty());
    }

    /** Such as {@code MODIFIED web@106}. */
    private static List<String> shown(Answer answer) {
        List<String> shown = new ArrayList<>();
        for (JsonNode item : answer.json().path("items")) {
            shown.add(
                    "%s %s@%s"
                            .formatted(
                                    item.path("type").asText(),
                                    item.at("/object/name").asText(),
                                    item.path("resourceVersion").asText()));
        }
        return shown;
    }

    private static JsonNode item(Answer answer, long revision) {
        for (JsonNode item : answer.json().path("items")) {
            if (item.path("resourceVersion").asLong() == revision) {
                return item;
            }
        }
        throw new AssertionError("no change at " + revision + ": " + answer.text());
    }

    @Test
    void tellsWhatChangedWhoDidItAndWhoseItIs() throws Exception {
        Answer all = changes("namespace=shop");
        assertThat(shown(all))
                .containsExactly(
                        "DELETED web-1-a@110",
                        "MODIFIED web@109",
                        "ADDED web-1-a.1@107",
                        "MODIFIED web@106",
                        "MODIFIED web-1-a@105",
                        "ADDED web-1-a@103",
                        "ADDED web-1@102",
                        "ADDED web@101");
        assertThat(all.json().path("hidden")).hasToString("{\"noise\":2}");
        JsonNode rollout = item(all, 106);
        assertThat(rollout.path("class").asText()).isEqualTo("spec");
        assertThat(rollout.path("time").asText()).startsWith("2026-11-21T10:00:06");
        assertThat(rollout.path("managers")).hasToString("[\"kubectl-edit\"]");
        assertThat(rollout.path("changes"))
                .hasToString(
                        """
                        [{"path":"spec.template.spec.containers[name=web].image","old":"v1",\
                        "new":"v2","manager":"kubectl-edit"}]\
                        """);
        assertThat(rollout.path("object"))
                .hasToString(
                        """
                        {"apiVersion":"apps/v1","kind":"Deployment","resource":"deployments.apps",\
                        "namespace":"shop","name":"web","uid":"d"}\
                        """);
        assertThat(item(all, 109).path("class").asText()).isEqualTo("status");
        for (long revision : new long[] {102, 103, 105, 107, 110}) {
            assertThat(item(all, revision).at("/root/kind").asText())
                    .as("root of %d", revision)
                    .isEqualTo("Deployment");
        }
        assertThat(item(all, 106).has("root")).isFalse();
        for (long revision : new long[] {103, 105, 110}) {
            assertThat(item(all, revision).at("/owner/name").asText())
                    .as("owner of %d", revision)
                    .isEqualTo("web-1");
        }
        assertThat(item(all, 107).path("owner"))
                .as("what an Event is about")
                .hasToString(
                        """
                        {"apiVersion":"v1","kind":"Pod","resource":"pods","namespace":"shop",\
                        "name":"web-1-a","uid":"p"}\
                        """);
        for (long revision : new long[] {102, 106}) {
            assertThat(item(all, revision).has("owner")).as("only if it is not the root").isFalse();
        }
        assertThat(item(all, 107).path("message").asText())
                .isEqualTo("Warning BackOff back-off restarting");
    }

    @Test
    void filtersByScopeClassAndTime() throws Exception {
        assertThat(shown(changes("namespace=shop&class=spec")))
                .containsExactly(
                        "DELETED web-1-a@110",
                        "MODIFIED web@106",
                        "ADDED web-1-a@103",
                        "ADDED web-1@102",
                        "ADDED web@101");
        assertThat(changes("namespace=shop&class=spec").json().path("hidden"))
                .hasToString("{\"status\":3,\"noise\":2}");
        assertThat(shown(changes("class=noise")))
                .containsExactly("MODIFIED leader@108", "ADDED leader@104");
        assertThat(shown(changes("resource=deployments.apps&class=all")))
                .containsExactly("MODIFIED web@109", "MODIFIED web@106", "ADDED web@101");
        assertThat(shown(changes("resource=pods,deployments.apps&namespace=shop&class=spec")))
                .containsExactly(
                        "DELETED web-1-a@110",
                        "MODIFIED web@106",
                        "ADDED web-1-a@103",
                        "ADDED web@101");
        assertThat(shown(changes("resource=pods&namespace=shop&name=web-1-a&class=spec")))
                .containsExactly("DELETED web-1-a@110", "ADDED web-1-a@103");
        assertThat(shown(changes("resource=pods&namespace=shop&name=web-1"))).isEmpty();
        assertThat(shown(changes("labelSelector=app%3Dx"))).containsExactly("ADDED elsewhere@111");
        assertThat(shown(changes("from=105&to=107")))
                .containsExactly("ADDED web-1-a.1@107", "MODIFIED web@106");
        assertThat(shown(changes("from=" + DAY + "10:00:05Z&to=" + DAY + "10:00:06.5Z")))
                .containsExactly("MODIFIED web@106");
        assertThat(shown(changes("from=-1s"))).containsExactly("ADDED elsewhere@111");
        assertThat(shown(fixture.client.get("/at/102/changes")))
                .containsExactly("ADDED web-1@102", "ADDED web@101");
    }

    /** Both groups' Events are stored in one place, and in the form of one of them. */
    @ParameterizedTest
    @ValueSource(strings = {"", "&compare=true"})
    void findsEventsByEitherGroup(String more) throws Exception {
        for (String resource : new String[] {"events", "events.events.k8s.io"}) {
            for (String namespace : new String[] {"", "&namespace=shop"}) {
                assertThat(shown(changes("resource=" + resource + namespace + more)))
                        .as(resource + namespace)
                        .containsExactly("ADDED web-1-a.1@107");
            }
        }
        assertThat(shown(changes("resource=events.events.k8s.io,deployments.apps" + more)))
                .contains("ADDED web-1-a.1@107");
        assertThat(
                        changes("watch=1&resource=events.events.k8s.io&from=105&timeoutSeconds=1")
                                .text())
                .contains("web-1-a.1");
    }

    /** The ReplicaSet is deleted before the last change of its Pod. */
    @ParameterizedTest
    @ValueSource(strings = {"newest", "oldest"})
    void anOwnerThatIsDeletedWasThereForTheChangesBefore(String order) throws Exception {
        second();
        cluster.delete(Bytes.utf8("/registry/replicasets/shop/web-1")); // 112
        pod("Failed"); // 113
        Answer answer = changes("resource=pods,replicasets.apps,deployments.apps&order=" + order);
        for (long revision : new long[] {103, 105, 110}) {
            assertThat(item(answer, revision).at("/root/kind").asText())
                    .as("root of %d", revision)
                    .isEqualTo("Deployment");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"newest", "oldest"})
    void pagesAddUpToTheWhole(String order) throws Exception {
        List<String> whole = shown(onePage("class=all&limit=500&order=" + order));
        for (int limit = 1; limit <= 12; limit++) {
            List<String> paged = new ArrayList<>();
            String query = "class=all&limit=" + limit + "&order=" + order;
            Answer page = changes(query);
            paged.addAll(shown(page));
            cluster.pod("later", "late" + limit, Map.of());
            while (!page.continueToken().isEmpty()) {
                page = changes(query + "&continue=" + page.continueToken());
                paged.addAll(shown(page));
            }
            assertThat(paged).as("pages of %d", limit).startsWith(whole.toArray(String[]::new));
            whole = shown(onePage("class=all&limit=500&order=" + order));
        }
    }

    /** Over more revisions than a window has, with transactions of several changes. */
    @Test
    void readsRandomHistoriesInWindowsWithoutLossOrRepeat() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 900; i++) {
            int pods = random.nextInt(8) == 0 ? 5 : 1;
            List<MirroredCluster.Op> ops = new ArrayList<>();
            List<String> names = new ArrayList<>();
            for (int j = 0; j < pods; j++) {
                String namespace = random.nextInt(10) == 0 ? "rare" : "many";
                String name = "p" + i + "-" + j;
                ops.add(MirroredCluster.podOp(namespace, name, Map.of(), "n"));
                names.add(namespace + "/" + name);
            }
            long at = cluster.txn(ops);
            names.forEach(name -> expected.add(name + "@" + at));
            if (random.nextInt(40) == 0) {
                cluster.elsewhere(random.nextInt(2_000));
            }
        }
        for (String namespace : new String[] {"rare", "many"}) {
            List<String> wanted =
                    expected.stream().filter(each -> each.startsWith(namespace)).toList();
            for (String order : new String[] {"oldest", "newest"}) {
                List<String> found = new ArrayList<>();
                String query =
                        "resource=pods&limit=37&from=111&namespace="
                                + namespace
                                + "&order="
                                + order;
                String token = "";
                do {
                    Answer page = changes(query + (token.isEmpty() ? "" : "&continue=" + token));
                    for (JsonNode item : page.json().path("items")) {
                        found.add(
                                namespace
                                        + "/"
                                        + item.at("/object/name").asText()
                                        + "@"
                                        + item.path("resourceVersion").asText());
                    }
                    token = page.continueToken();
                } while (!token.isEmpty());
                if (order.equals("newest")) {
                    Collections.reverse(found);
                }
                assertThat(found).as(namespace + " " + order).isEqualTo(wanted);
            }
        }
    }

    /** The windows have grown in the quiet hours when they come to the burst. */
    @Test
    void findsABurstBehindQuietHours() throws Exception {
        for (int i = 0; i < 9_000; i++) {
            cluster.pod("burst", "p" + i, Map.of());
        }
        for (int i = 0; i < 20; i++) {
            cluster.elsewhere(20_000);
        }
        String query = "namespace=burst&limit=500";
        List<String> found = new ArrayList<>();
        String token = "";
        do {
            Answer page = changes(query + (token.isEmpty() ? "" : "&continue=" + token));
            found.addAll(shown(page));
            token = page.continueToken();
        } while (!token.isEmpty());
        assertThat(found).hasSize(9_000).doesNotHaveDuplicates();
        assertThat(found.getFirst()).startsWith("ADDED p8999@");
    }

    @Test
    void comparesTwoStates() throws Exception {
        Answer rollout = onePage("compare=true&from=103&to=109&namespace=shop");
        assertThat(shown(rollout))
                .containsExactly("MODIFIED web@109", "ADDED web-1-a.1@107", "MODIFIED web-1-a@105");
        assertThat(rollout.json().path("hidden")).hasToString("{\"noise\":1}");
        assertThat(item(rollout, 109).path("changes").findValuesAsText("path"))
                .containsExactly(
                        "spec.template.spec.containers[name=web].image", "status.readyReplicas");
        assertThat(item(rollout, 105).at("/root/name").asText()).isEqualTo("web");
        assertThat(shown(onePage("compare=true&from=105&resource=pods")))
                .as("a deleted object is of the later state's revision")
                .containsExactly("ADDED elsewhere@111", "DELETED web-1-a@111");
        assertThat(shown(onePage("compare=true&from=102&resource=pods&namespace=shop")))
                .as("what came and went is in neither state")
                .isEmpty();
        assertThat(
                        shown(
                                onePage(
                                        "compare=true&from=101&to=106&resource=deployments.apps"
                                                + "&namespace=shop&name=web&class=spec")))
                .containsExactly("MODIFIED web@106");
        assertThat(shown(onePage("compare=true&from=103&labelSelector=app%3Dx")))
                .containsExactly("ADDED elsewhere@111");
        assertThat(shown(onePage("compare=true&from=111"))).isEmpty();
        assertThat(shown(fixture.client.get("/at/106/changes?compare=true&from=105&class=spec")))
                .containsExactly("MODIFIED web@106");
        assertThat(onePage("compare=true&from=50").json().path("complete").asBoolean()).isFalse();
    }

    /** Against the single changes of the same range, over many seeds. */
    @Test
    void pagesOfAComparisonAddUpToTheDifferenceOfTheStates() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        long from = 0;
        Map<String, Long> then = new TreeMap<>();
        Map<String, Long> now = new TreeMap<>();
        for (int i = 0; i < 600; i++) {
            String name = "p" + random.nextInt(150);
            if (now.containsKey(name) && random.nextInt(3) == 0) {
                cluster.delete(Bytes.utf8("/registry/pods/random/" + name));
                now.remove(name);
            } else {
                now.put(name, cluster.pod("random", name, Map.of("n", "" + i)));
            }
            if (i == 300) {
                from = cluster.pod("random", "mark", Map.of());
                then.putAll(now);
            }
        }
        Set<String> expected = new TreeSet<>();
        Set<String> all = new TreeSet<>(then.keySet());
        all.addAll(now.keySet());
        for (String name : all) {
            if (!then.containsKey(name)) {
                expected.add("ADDED " + name);
            } else if (!now.containsKey(name)) {
                expected.add("DELETED " + name);
            } else if (!then.get(name).equals(now.get(name))) {
                expected.add("MODIFIED " + name);
            }
        }
        for (int limit : new int[] {1, 7, 500}) {
            String query = "compare=1&resource=pods&namespace=random&from=" + from;
            List<String> found = new ArrayList<>();
            String token = "";
            do {
                Answer page =
                        changes(
                                query
                                        + "&limit="
                                        + limit
                                        + (token.isEmpty() ? "" : "&continue=" + token));
                shown(page).forEach(each -> found.add(each.substring(0, each.indexOf('@'))));
                token = page.continueToken();
                cluster.pod("random", "later", Map.of());
            } while (!token.isEmpty());
            assertThat(found).as("pages of %d", limit).contains(expected.toArray(String[]::new));
            found.removeIf(each -> each.endsWith(" later"));
            assertThat(found).doesNotHaveDuplicates().hasSameSizeAs(expected);
        }
    }

    @Test
    void aTokenOfAComparisonIsNoneOfTheFeed() throws Exception {
        String compared = changes("compare=true&from=100&limit=1").continueToken();
        String listed = changes("from=100&limit=1").continueToken();
        for (String query : new String[] {"", "compare=true&"}) {
            String token = query.isEmpty() ? compared : listed;
            Answer answer = fixture.client.get("/changes?" + query + "continue=" + token);
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        }
    }

    /** A token shows the key that it ends at, as its text is no secret. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "namespace=shop ; /registry/[a-z]+/shop/[^/]+",
                "namespace=shop&resource=pods,deployments.apps ;"
                        + " /registry/(pods|deployments)/shop/.+",
                "resource=pods,deployments.apps ; /registry/(pods|deployments)/.+",
            })
    void aTokenOfAComparisonNamesAKeyOfItsScope(String scope, String keys) throws Exception {
        String query = "compare=true&from=103&class=all&" + scope;
        List<String> found = new ArrayList<>();
        int tokens = 0;
        String token = "";
        do {
            Answer page =
                    changes(query + "&limit=1" + (token.isEmpty() ? "" : "&continue=" + token));
            found.addAll(shown(page));
            token = page.continueToken();
            if (!token.isEmpty()) {
                String start = ContinueToken.decodeAnyStart(token).start();
                byte[] key = Base64.getUrlDecoder().decode(start.substring(start.indexOf('.') + 1));
                assertThat(new String(key, StandardCharsets.UTF_8)).matches(keys);
                tokens++;
            }
        } while (!token.isEmpty());
        assertThat(tokens).isPositive();
        assertThat(found).isEqualTo(shown(onePage(query)));
    }

    @Test
    void refusesTheNamespaceOfWhatIsInNone() throws Exception {
        Answer answer = fixture.client.get("/changes?resource=pods,nodes&namespace=shop");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message())
                .isEqualTo("nodes are not in namespaces: ask for them without namespace");
    }

    /** An object may name any owner, also one that its author has no right to. */
    @Test
    void followsNoOwnerBeyondTheNamespaceThatWasAskedFor() throws Exception {
        put(
                "/registry/minions/n1",
                """
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"n1","resourceVersion":"RV",
                 "ownerReferences":[{"apiVersion":"v1","kind":"Namespace","name":"secret","uid":"s",
                  "controller":true}]}}\
                """);
        long revision =
                put(
                        "/registry/configmaps/shop/lure",
                        """
                        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"lure",
                         "namespace":"shop","resourceVersion":"RV","ownerReferences":[
                          {"apiVersion":"v1","kind":"Node","name":"n1","uid":"n",
                           "controller":true}]}}\
                        """);
        assertThat(item(changes("from=111"), revision).at("/root/name").asText())
                .isEqualTo("secret");
        Answer inNamespace = changes("from=111&namespace=shop");
        assertThat(item(inNamespace, revision).at("/root/name").asText()).isEqualTo("n1");
        assertThat(inNamespace.text()).doesNotContain("secret");
    }

    /** A client may write any key into its token. */
    @Test
    void aForgedTokenOfAComparisonShowsNothingElse() throws Exception {
        for (String key :
                new String[] {"", "/", "/registry/configmaps/a/b", "/registry/pods/shop0"}) {
            String start =
                    "100."
                            + Base64.getUrlEncoder()
                                    .withoutPadding()
                                    .encodeToString(key.getBytes(StandardCharsets.UTF_8));
            String token = new ContinueToken(111, start, 1).encode();
            for (String scope : new String[] {"&namespace=shop", "&namespace=other"}) {
                Answer answer =
                        fixture.client.get(
                                "/changes?compare=true&resource=pods"
                                        + scope
                                        + "&continue="
                                        + token);
                if (answer.status() == 200) {
                    assertThat(answer.json().path("items").findValuesAsText("namespace"))
                            .isSubsetOf(scope.substring(11));
                    assertThat(answer.json().path("items").findValuesAsText("resource"))
                            .isSubsetOf("pods", "deployments.apps");
                } else {
                    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
                }
            }
        }
    }

    /** The rights were judged at the token's revision, and from its begin on. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "order=newest&TOKEN=100.107.0",
                "order=newest&TOKEN=100.2147483647.0",
                "order=newest&TOKEN=103.103.0",
                "order=newest&TOKEN=150.120.0",
                "order=oldest&TOKEN=103.101.0",
                "order=oldest&TOKEN=103.90.0",
                "order=oldest&TOKEN=100.107.0",
                "compare=true&TOKEN=107.L3JlZ2lzdHJ5LwA",
            })
    void refusesATokenOfAPositionOutsideItsRange(String query) throws Exception {
        int start = query.indexOf("TOKEN=");
        String token = new ContinueToken(105, query.substring(start + 6), 1).encode();
        Answer refused =
                fixture.client.get("/changes?" + query.substring(0, start) + "continue=" + token);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("invalid continue token: not a token of this request");
    }

    @Test
    void readsFromTheEndsOfATokensRange() throws Exception {
        String first = new ContinueToken(105, "103.105.2147483647", 1).encode();
        assertThat(shown(changes("order=newest&continue=" + first)))
                .containsExactly("MODIFIED web-1-a@105");
        String last = new ContinueToken(105, "103.103.2147483647", 1).encode();
        assertThat(shown(changes("order=newest&continue=" + last))).isEmpty();
        assertThat(shown(changes("order=oldest&continue=" + last)))
                .containsExactly("MODIFIED web-1-a@105");
    }

    @Test
    void saysHowFarTheHistoryReaches() throws Exception {
        Answer all = changes("from=50");
        assertThat(all.json().path("complete").asBoolean()).isFalse();
        assertThat(all.json().at("/floor/resourceVersion").asText()).isEqualTo("100");
        assertThat(all.json().at("/from/resourceVersion").asText()).isEqualTo("100");
        assertThat(all.json().at("/floor/time").asText()).startsWith("2026-11-21T10:00:00");
        assertThat(changes("from=" + DAY + "09:00:00Z").json().path("complete").asBoolean())
                .isFalse();
        assertThat(changes("from=102").json().path("complete").asBoolean()).isTrue();
        assertThat(changes("").json().path("complete").asBoolean()).isTrue();
    }

    @Test
    void writesLinesAndAnnotations() throws Exception {
        Answer text = changes("namespace=shop&from=105&class=spec&output=text");
        assertThat(text.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(text.text().lines())
                .hasSize(2)
                .anyMatch(line ->
                        line.endsWith(
                                "106  MODIFIED  deployments.apps shop/web"
                                        + "  spec.template.spec.containers[name=web].image: \"v1\""
                                        + " → \"v2\"  (kubectl-edit)"));
        Answer lines = changes("namespace=shop&from=105&class=spec&output=ndjson");
        assertThat(lines.text().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"reso"));
        JsonNode annotations = changes("from=105&class=spec&to=106&output=grafana").json();
        assertThat(annotations).hasSize(1);
        assertThat(annotations.at("/0/title").asText())
                .isEqualTo("MODIFIED deployments.apps shop/web");
        assertThat(annotations.at("/0/time").asLong()).isPositive();
        assertThat(annotations.at("/0/tags")).hasToString("[\"spec\",\"deployments.apps\"]");
    }

    @Test
    void hidesTheValuesOfSecrets() throws Exception {
        for (String value : new String[] {"SECRET1", "SECRET2"}) {
            put(
                    "/registry/secrets/shop/key",
                    """
                    {"kind":"Secret","apiVersion":"v1","metadata":{"name":"key",
                     "namespace":"shop","resourceVersion":"RV","labels":{"v":"%1$s-label"},
                     "annotations":{"last":"%1$s"}},"data":{"k":"%1$s"},"stringData":{"s":"%1$s"}}\
                    """
                            .formatted(value));
        }
        for (String output : new String[] {"json", "ndjson", "text", "grafana"}) {
            assertThat(changes("resource=secrets&output=" + output).text())
                    .contains("data.k")
                    .doesNotContain("SECRET1\"", "SECRET2\"");
        }
        JsonNode changed = changes("resource=secrets").json().at("/items/0/changes");
        assertThat(changed.findValues("hidden")).hasSize(3);
        assertThat(changed.findValuesAsText("new")).containsExactly("SECRET2-label");
    }

    @Test
    void hostileContentStaysInItsLine() throws Exception {
        String evil = "a\\nb\\u2028c\\u202ed\\u001b[31m<script>";
        for (String value : new String[] {"x", evil}) {
            put(
                    "/registry/configmaps/shop/c",
                    """
                    {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c",
                     "namespace":"shop","resourceVersion":"RV"},
                     "data":{"k\\nl":"%s","big":"%s"}}\
                    """
                            .formatted(value, value.repeat(2_000)));
        }
        String text = changes("resource=configmaps&output=text").text();
        assertThat(text.lines()).hasSize(2);
        assertThat(text.chars().filter(c -> Character.isISOControl(c) && c != '\n')).isEmpty();
        assertThat(text).doesNotContain("\u2028", "\u202e");
        Answer answer = changes("resource=configmaps");
        assertThat(answer.text().length()).isLessThan(4_000);
        assertThat(answer.json().at("/items/0/changes").findValues("cut")).hasSize(1);
    }

    /** Keys and names in an object may be as long as the object. */
    @Test
    void cutsLongPathsAndNames() throws Exception {
        String key = "a".repeat(505) + "\ud83d\ude00".repeat(5_000);
        String name = "o".repeat(100_000);
        long revision = 0;
        for (int value = 0; value < 2; value++) {
            revision =
                    put(
                            "/registry/configmaps/shop/c",
                            """
                            {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c",
                             "namespace":"shop","resourceVersion":"RV","managedFields":[
                              {"manager":"%2$s","operation":"Update","fieldsV1":
                               {"f:short":{},"f:list":{},"f:data":{}}}],
                             "ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap",
                              "name":"%2$s","uid":"%2$s"}]},
                             "data":{"%1$s":{"x":%3$d,"y":%3$d}},
                             "list":[{"name":"%2$s","v":%3$d}],"short":%3$d}\
                            """
                                    .formatted(key, name, value));
        }
        Answer answer = changes("resource=configmaps&from=111");
        assertThat(answer.text().length()).isLessThan(10_000);
        JsonNode item = item(answer, revision);
        List<String> paths = item.path("changes").findValuesAsText("path");
        String cut = "data[\"" + "a".repeat(505);
        assertThat(paths)
                .as("whole characters only")
                .containsExactly(cut, cut, ("list[name=" + name).substring(0, 512), "short");
        for (JsonNode field : item.path("changes")) {
            assertThat(field.path("cut").asBoolean()).isTrue();
            assertThat(field.path("manager").asText()).hasSize(512);
        }
        assertThat(item.at("/root/name").asText()).hasSize(512);
        assertThat(item.at("/root/uid").asText()).hasSize(512);
        assertThat(item.at("/root/cut").asBoolean()).isTrue();
        assertThat(item.path("object").has("cut")).isFalse();
        for (String output : new String[] {"ndjson", "text", "grafana"}) {
            assertThat(changes("resource=configmaps&from=111&output=" + output).text().length())
                    .isLessThan(10_000);
        }
    }

    /** The beginning of a name may be the name of another object. */
    @Test
    void followsNoOwnerByACutName() throws Exception {
        String name = "o".repeat(600);
        for (String[] pair :
                new String[][] {{name.substring(0, 512), "another"}, {"owned", name}}) {
            put(
                    "/registry/configmaps/shop/" + pair[0],
                    """
                    {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s",
                     "namespace":"shop","resourceVersion":"RV","ownerReferences":[
                      {"apiVersion":"v1","kind":"ConfigMap","name":"%s","uid":"u"}]}}\
                    """
                            .formatted(pair[0], pair[1]));
        }
        Answer answer = changes("resource=configmaps&from=111");
        assertThat(answer.json().at("/items/0/root/name").asText())
                .isEqualTo(name.substring(0, 512));
    }

    @ParameterizedTest
    @ValueSource(strings = {"order=newest", "order=oldest", "compare=true"})
    void aPageOfLargeChangesEndsEarly(String order) throws Exception {
        List<String> expected = new ArrayList<>();
        for (int value = 0; value < 2; value++) {
            expected.clear();
            for (int i = 0; i < 20; i++) {
                String data = Integer.toString(value).repeat(200);
                long revision =
                        put(
                                "/registry/configmaps/shop/c%02d".formatted(i),
                                """
                                {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c%02d",
                                 "namespace":"shop","resourceVersion":"RV"},
                                 "data":{"a":"%2$s","b":"%2$s","c":"%2$s","d":"%2$s"}}\
                                """
                                        .formatted(i, data));
                expected.add("MODIFIED c%02d@%d".formatted(i, revision));
            }
        }
        try (QueryNodeFixture small =
                new QueryNodeFixture(
                        cluster, c -> c.withLimits(c.limits().withListPageBytes(10_000)))) {
            String query = "/changes?resource=configmaps&limit=500&from=131&" + order;
            List<String> found = new ArrayList<>();
            String token = "";
            do {
                Answer page =
                        small.client.get(query + (token.isEmpty() ? "" : "&continue=" + token));
                assertThat(shown(page)).hasSizeLessThan(6);
                found.addAll(shown(page));
                token = page.continueToken();
            } while (!token.isEmpty());
            if (order.endsWith("newest")) {
                Collections.reverse(found);
            }
            assertThat(found).isEqualTo(expected);
        }
    }

    @Test
    void aWatchSendsEachChangeAsItComes() throws Exception {
        try (Watch watch =
                fixture.client.watch(
                        "/changes?watch=1&namespace=shop&from=105&timeoutSeconds=60")) {
            assertThat(watch.status()).isEqualTo(200);
            assertThat(watch.header("Content-Type")).isEqualTo("application/x-ndjson");
            List<String> revisions = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                revisions.add(watch.next().path("resourceVersion").asText());
            }
            assertThat(revisions).containsExactly("106", "107", "109", "110");
            deployment("v3", 1, 1, "argocd");
            JsonNode live = watch.next();
            assertThat(live.at("/changes/0/new").asText()).isEqualTo("v3");
            assertThat(live.path("time").asText()).startsWith("2026-11-21T10:00:1");
            cluster.relist(true);
            assertThat(watch.next().path("code").asInt()).isEqualTo(410);
        }
    }

    /** The lease at 108 is noise; 112 to 116 are of other keys. */
    @Test
    void aWatchThatEndsSaysHowFarItHasGot() throws Exception {
        cluster.elsewhere(5);
        String query = "/changes?watch=1&namespace=shop&from=109&timeoutSeconds=1";
        try (Watch watch = fixture.client.watch(query + "&allowWatchBookmarks=true")) {
            assertThat(watch.next().path("resourceVersion").asText()).isEqualTo("110");
            assertThat(watch.next())
                    .hasToString("{\"kind\":\"Bookmark\",\"resourceVersion\":\"116\"}");
            assertThat(watch.next().isMissingNode()).isTrue();
        }
        for (String without : new String[] {"", "&allowWatchBookmarks=true&output=text"}) {
            assertThat(fixture.client.get(query + without).text().lines()).hasSize(1);
        }
    }

    @Test
    void aWatchFromNowOnSaysWhereItBegins() throws Exception {
        try (Watch watch =
                fixture.client.watch("/changes?watch=1&allowWatchBookmarks=1&timeoutSeconds=60")) {
            assertThat(watch.next())
                    .hasToString("{\"kind\":\"Bookmark\",\"resourceVersion\":\"111\"}");
            cluster.pod("other", "later", Map.of());
            assertThat(watch.next().path("resourceVersion").asText()).isEqualTo("112");
        }
    }

    @Test
    void aQuietWatchSaysHowFarItHasGot() throws Exception {
        try (QueryNodeFixture often =
                        new QueryNodeFixture(
                                cluster,
                                config ->
                                        config.withTimes(
                                                config.times()
                                                        .withBookmarkInterval(
                                                                Duration.ofMillis(50))));
                Watch watch =
                        often.client.watch(
                                "/changes?watch=1&allowWatchBookmarks=1&namespace=shop&from=110"
                                        + "&timeoutSeconds=60")) {
            assertThat(watch.next().path("resourceVersion").asText()).isEqualTo("111");
            cluster.elsewhere(5);
            assertThat(watch.next())
                    .hasToString("{\"kind\":\"Bookmark\",\"resourceVersion\":\"116\"}");
        }
    }

    /** A client has seen it before etcd was restored. */
    @Test
    void refusesAWatchFromARevisionThatEtcdHasNotReached() throws Exception {
        Answer ahead = fixture.client.get("/changes?watch=1&timeoutSeconds=1&from=112");
        assertThat(ahead.status()).as(ahead.text()).isEqualTo(410);
        assertThat(ahead.message()).contains("112", "has reached 111");
        assertThat(changes("watch=1&timeoutSeconds=1&from=111").text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class=x",
                "limit=0",
                "limit=-1",
                "limit=x",
                "order=up",
                "output=xml",
                "from=x",
                "from=" + DAY + "23:00:00Z",
                "name=web",
                "resource=nothing",
                "continue=x",
                "labelSelector=%3D%3D",
                "watch=1&output=grafana",
                "compare=1&watch=1",
                "compare=1&from=109&to=106",
                "compare=1&order=oldest",
                "resource=pods&name=a&resource=b",
                "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MTEwLCJzdGFydCI6ImEifQ"
            })
    void refusesInvalidParameters(String query) throws Exception {
        Answer refused = fixture.client.get("/changes?" + query);
        assertThat(refused.status()).as(query + refused.text()).isEqualTo(400);
    }

    @Test
    void readsOnly() throws Exception {
        assertThat(fixture.client.send("POST", "/changes").status()).isEqualTo(405);
        assertThat(fixture.client.get("/changes/x").status()).isEqualTo(404);
    }
}
