package io.tidemark.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FieldDiffTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static List<String> diff(String before, String after) throws Exception {
        return shown(before, after, false);
    }

    private static List<String> shown(String before, String after, boolean all) throws Exception {
        return FieldDiff.between(JSON.readTree(before), JSON.readTree(after), all).stream()
                .map(d -> d.path() + ": " + d.before() + " -> " + d.after())
                .toList();
    }

    @Test
    void ignoresTheOrderOfMembers() throws Exception {
        assertThat(diff("{\"a\":1,\"b\":{\"c\":[1]}}", "{\"b\":{\"c\":[1]},\"a\":1}")).isEmpty();
    }

    @Test
    void namesFieldsByTheirPaths() throws Exception {
        assertThat(
                        diff(
                                "{\"spec\":{\"replicas\":2,\"old\":true},\"metadata\":{\"labels\":{\"a.b/c\":\"x\"}}}",
                                "{\"spec\":{\"replicas\":3},\"metadata\":{\"labels\":{\"a.b/c\":\"y\"}},\"new\":null}"))
                .containsExactly(
                        "spec.replicas: 2 -> 3",
                        "spec.old: true -> null",
                        "metadata.labels[\"a.b/c\"]: \"x\" -> \"y\"",
                        "new: null -> null");
    }

    @Test
    void writesTheBeginningOfAPath() throws Exception {
        String before = "{\"a\":{\"b/c\":[{\"name\":\"long\",\"v\":1}]}}";
        FieldPath path =
                FieldDiff.between(
                                JSON.readTree(before),
                                JSON.readTree(before.replace('1', '2')),
                                false)
                        .getFirst()
                        .path();
        String whole = "a[\"b/c\"][name=long].v";
        assertThat(path).hasToString(whole);
        for (int most = 0; most <= whole.length(); most++) {
            assertThat(path.text(most)).isEqualTo(whole.substring(0, most));
        }
        assertThat(path.text(100)).isEqualTo(whole);
    }

    @Test
    void comparesNamedElementsByName() throws Exception {
        assertThat(
                        diff(
                                "{\"c\":[{\"name\":\"app\",\"image\":\"a:1\"}]}",
                                "{\"c\":[{\"name\":\"side\",\"image\":\"s\"},{\"name\":\"app\",\"image\":\"a:2\"}]}"))
                .containsExactly(
                        "c[name=app].image: \"a:1\" -> \"a:2\"",
                        "c[name=side].name: null -> \"side\"",
                        "c[name=side].image: null -> \"s\"");
        assertThat(
                        diff(
                                "[{\"type\":\"Ready\",\"status\":\"False\"}]",
                                "[{\"type\":\"Ready\",\"status\":\"True\"}]"))
                .containsExactly("[type=Ready].status: \"False\" -> \"True\"");
    }

    @Test
    void reportsAnotherOrderOfNamedElementsAsOneDifference() throws Exception {
        String a = "{\"name\":\"a\",\"v\":1}";
        String b = "{\"name\":\"b\",\"v\":2}";
        assertThat(diff("{\"l\":[%s,%s]}".formatted(a, b), "{\"l\":[%s,%s]}".formatted(b, a)))
                .containsExactly("l: [%1$s,%2$s] -> [%2$s,%1$s]".formatted(a, b));
        assertThat(diff("[%s,%s]".formatted(a, b), "[%s,%s]".formatted(b, a.replace('1', '3'))))
                .containsExactly("[name=a].v: 1 -> 3");
    }

    @Test
    void comparesOtherListsByIndex() throws Exception {
        assertThat(diff("{\"l\":[1,2,3]}", "{\"l\":[1,5]}"))
                .containsExactly("l[1]: 2 -> 5", "l[2]: 3 -> null");
        assertThat(
                        diff(
                                "{\"l\":[{\"name\":\"a\",\"v\":1},{\"name\":\"a\",\"v\":2}]}",
                                "{\"l\":[{\"name\":\"a\",\"v\":1},{\"name\":\"a\",\"v\":3}]}"))
                .containsExactly("l[1].v: 2 -> 3");
    }

    @Test
    void listsEachLeafOfAnAddedBranchAndEmptyOnes() throws Exception {
        assertThat(
                        diff(
                                "{}",
                                "{\"s\":{\"a\":1,\"e\":{},\"v\":[1,2],\"l\":[{\"key\":\"k\",\"x\":1},{\"key\":\"m\"}],\"o\":[{\"x\":1}]}}"))
                .containsExactly(
                        "s.a: null -> 1",
                        "s.e: null -> {}",
                        "s.v: null -> [1,2]",
                        "s.l[key=k].key: null -> \"k\"",
                        "s.l[key=k].x: null -> 1",
                        "s.l[key=m].key: null -> \"m\"",
                        "s.o[0].x: null -> 1");
    }

    @Test
    void reportsAChangedTypeAsOneDifference() throws Exception {
        assertThat(diff("{\"a\":{\"b\":1}}", "{\"a\":[1]}")).containsExactly("a: {\"b\":1} -> [1]");
        assertThat(diff("{\"a\":\"2\"}", "{\"a\":2}")).containsExactly("a: \"2\" -> 2");
    }

    @Test
    void omitsFieldsThatEveryWriteChangesByDefault() throws Exception {
        String before = "{\"metadata\":{\"resourceVersion\":\"1\",\"managedFields\":[{\"x\":1}]}}";
        String after = "{\"metadata\":{\"resourceVersion\":\"2\"}}";
        assertThat(diff(before, after)).isEmpty();
        assertThat(diff("{}", before)).isEmpty();
        assertThat(shown(before, after, true))
                .containsExactly(
                        "metadata.resourceVersion: \"1\" -> \"2\"",
                        "metadata.managedFields[0].x: 1 -> null");
    }

    /** As many as an object of etcd can have: their paths together would take gigabytes. */
    @Test
    void keepsNothingOfADeepObjectWithManyLeaves() throws Exception {
        int depth = 900;
        int leaves = 100_000;
        AtomicInteger found = new AtomicInteger();
        FieldDiff.forEach(
                deep(depth, leaves, 1),
                deep(depth, leaves, 2),
                false,
                each -> {
                    assertThat(each.path().steps()).hasSize(depth + 1);
                    found.incrementAndGet();
                });
        assertThat(found).hasValue(leaves);
    }

    private static JsonNode deep(int depth, int leaves, int value) {
        ObjectNode object = JSON.createObjectNode();
        for (int i = 0; i < leaves; i++) {
            object.put("m" + i, value);
        }
        for (int i = 0; i < depth; i++) {
            object = JSON.createObjectNode().set("a", object);
        }
        return object;
    }
}
