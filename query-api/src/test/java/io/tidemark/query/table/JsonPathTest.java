package io.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.json.GoJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expectations follow from client-go's parser and evaluation. */
class JsonPathTest {
    private static final JsonNode OBJECT =
            GoJson.read(
                    """
                    {"a":{"b":[1,2,3,4],"x.y/z":"dotted","e":{},"none":[]},
                     "c":[{"type":"Ready","status":"True","n":1,"on":true,"l":[{"x":"y"}]},
                          {"type":"Synced","status":"False","n":2,"on":false,"reason":"r"},
                          {"type":"(Odd)","n":3,"null":null}],
                     "mixed":[{"v":1},{"v":"1"}],"big":[{"v":100000000000000000000}],
                     "floats":[{"v":0.5},{"v":1.5}],
                     "lists":[{"l":[1]},{"l":[]},{"l":[3]}],"n":null,"t":"text"}
                    """
                            .getBytes(StandardCharsets.UTF_8));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".a.b[0]                            | 1",
                ".a.b[]                             | 1",
                ".a.b[-1]                           | 4",
                ".a.b[-4]                           | 1",
                ".a.b[*]                            | 1",
                ".a.b[1:3]                          | 2",
                ".a.b[-2:]                          | 3",
                ".a.b[:-1]                          | 1",
                ".a.b[1:4:2]                        | 2",
                ".a.b[3::9223372036854775807]       | 4",
                ".a.b[3,0]                          | 4",
                ".a.b[ 3 , 0 ]                      | 4",
                ".a.b                               | [1,2,3,4]",
                ".a.*                               | [1,2,3,4]",
                ".a.x\\.y/z                         | \"dotted\"",
                ".a['x\\.y/z']                      | \"dotted\"",
                "['a.b'][2]                         | 3",
                "$.a .b[1]                          | 2",
                ".a['none','e']                     | []",
                ".c[?(@.type=='Ready')].status      | \"True\"",
                ".c[?(@.type!='Ready')].status      | \"False\"",
                ".c[?(@.status == \"False\")].type  | \"Synced\"",
                ".c[?(@.type==\"(Odd)\")].n         | 3",
                ".c[?(@.type==\"\\u0052eady\")].n   | 1",
                ".c[?(@.type=='Re\\x61dy')].n       | 1",
                ".c[?(@.type>'Ready')].n            | 2",
                ".c[?(@.n>1)].n                     | 2",
                ".c[?(@.n>=3)].n                    | 3",
                ".c[?(@.n<2)].n                     | 1",
                ".c[?(2<=@.n)].n                    | 2",
                ".c[?(@.on==false)].n               | 2",
                ".c[?(@.reason)].n                  | 2",
                ".c[?(@.null)].n                    | 3",
                ".c[?(@.l[0].x==\"y\")].n           | 1",
                ".c[?(@..x==\"y\")].n               | 1",
                ".c[?(@.n==@.n)].n                  | 1",
                ".c[?(@.type[0])].n                 | 1", // A failure counts as found.
                ".floats[?(@.v>0.7)].v              | 1.5",
                ".big[?(@.v>1.5)].v                 | 100000000000000000000",
                ".c[*].status                       | \"True\"",
                "..x                                | \"y\"",
                "..b[1]                             | 2",
                ".t..                               | \"text\"",
                ".n                                 | null",
                ".a.b[0]} and {.more                | 1",
            })
    void findsTheFirstMatch(String path, String found) {
        assertThat(find(path).map(JsonNode::toString)).contains(found);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".q",
                ".",
                ".a.b.c",
                ".a['x.y/z']",
                ".c[?(@.type=='No')].status",
                ".c[?(@.q==1)]",
                ".a.none[*]",
                ".a.b[2:2]",
                ".n.x",
                ".n[0]",
                ".lists[*].l[*].x",
                ".a.e..",
            })
    void findsNothingForMissingMembers(String path) {
        assertThat(JsonPath.parse(path)).isPresent();
        assertThat(find(path)).isEmpty();
    }

    /** One value that does not fit fails the path for the whole object. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".a.b[9]",
                ".a.b[-5]",
                ".a.b[0:5]",
                ".a.b[3:1]",
                ".a.b[-5:]",
                ".a.b[0:2:0]",
                ".a.b[0:2:-1]",
                ".a.none[-1:]",
                ".a.e[*]",
                ".t[0]",
                ".a[?(@.b)]",
                ".n[?(@.b)]",
                ".lists[*].l[0]",
                ".mixed[?(@.v==1)].v",
                ".mixed[?(@.v=='1')].v",
                ".floats[?(@.v>1)].v",
                ".c[?(@.n==1.0)].n",
                ".c[?(@.n=='1')].n",
                ".c[?(@.on<true)].n",
                ".c[?(@.on=='true')].n",
                ".c[?(@.l=='x')].n",
                ".c[?(@.n=1)].n",
                ".c[?(@.n<>1)].n",
                ".c[?(@.type=='Rea'dy')].n",
                ".a.b[0] word",
            })
    void findsNothingWhereThePathDoesNotFit(String path) {
        assertThat(JsonPath.parse(path)).isPresent();
        assertThat(find(path)).isEmpty();
    }

    /** Go leaves out all that follows an empty slice. */
    @Test
    void endsAtAnEmptySlice() {
        assertThat(find(".lists[1:].l[*]")).isEmpty();
        assertThat(find(".lists[*].l[*]").map(JsonNode::toString)).contains("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "....a",
                "..*",
                "{.a}",
                ".a[",
                ".a[x]",
                ".a[ 0 ]",
                ".a[-]",
                ".a[1:2:3:4]",
                ".a[99999999999999999999]",
                ".a[\"b\"]",
                ".a['b\"]",
                ".a[0,x]",
                ".a]",
                ".a,b",
                ".a\\",
                ".a\t.b",
                ".a +",
                ".a 1.2.3",
                ".a #",
                ".a[?(@.b)",
                ".a[?(@.b]",
                ".a[?(@.b) ]",
                ".a[?(@.b=='x)]",
                ".a[?(@.b=='\\q')]",
                ".a[?(@.b=='\\400')]",
                ".a[?(@.b=='\\ud800')]",
                ".a[?(@.b=='x' && @.c==1)]",
                ".a[?(==1)]",
                ".a[?(@.b==)]",
                ".a[?(@.b[?(@.c)])]",
                ".a} {*",
            })
    void refusesWhatTheApiServerRefuses(String path) {
        assertThat(JsonPath.parse(path)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "...*...*...*...*...*...*",
                "..[0,0,0,0,0,0,0,0]..[0,0,0,0]..[0,0,0,0]",
                ".wide[?(@.q)]",
                ".same[?(@.a==@.b)]",
            })
    void failsWhereThereIsTooMuchToDo(String path) {
        String wide = "[" + "{\"q\":[0]},".repeat(60_000) + "0]";
        String same =
                "["
                        + "{\"a\":\"%1$s\",\"b\":\"%1$s\"},"
                                .formatted("x".repeat(70_000))
                                .repeat(99)
                        + "0]";
        String deep = "[".repeat(500) + "0" + "]".repeat(500);
        String object = "{\"wide\":%s,\"same\":%s,\"deep\":%s}".formatted(wide, same, deep);
        JsonNode tree = GoJson.read(object.getBytes(StandardCharsets.UTF_8));

        assertThat(JsonPath.parse(path).orElseThrow().first(tree)).isEmpty();
        assertThat(JsonPath.parse(".wide[59999].q[0]").orElseThrow().first(tree)).isPresent();
    }

    @Test
    void parsesLongPaths() {
        assertThat(JsonPath.parse(".a".repeat(2048))).isPresent();
        assertThat(JsonPath.parse("[?(".repeat(1365))).isEmpty();
        assertThat(JsonPath.parse(".a[" + "0,".repeat(2045) + "0]")).isPresent();
    }

    private static Optional<JsonNode> find(String path) {
        return JsonPath.parse(path).flatMap(p -> p.first(OBJECT));
    }
}
