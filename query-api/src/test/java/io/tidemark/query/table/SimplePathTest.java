package io.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.json.GoJson;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimplePathTest {
    private static final JsonNode OBJECT =
            GoJson.read(
                    """
                    {"a":{"b":[1,2,3],"x.y/z":"dotted","e":{}},
                     "c":[{"type":"Ready","status":"True"},{"type":"Synced","status":"False"},
                          {"type":"Odd"}],"n":null}
                    """
                            .getBytes(StandardCharsets.UTF_8));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".a.b[0]                            | 1",
                ".a.b[-1]                           | 3",
                ".a.b[*]                            | 1",
                ".a.b                               | [1,2,3]",
                ".a.x\\.y/z                         | \"dotted\"",
                ".a['x.y/z']                        | \"dotted\"",
                "{.a.b[1]}                          | 2",
                ".c[?(@.type=='Ready')].status      | \"True\"",
                ".c[?(@.type!='Ready')].status      | \"False\"",
                ".c[?(@.status == \"False\")].type  | \"Synced\"",
                ".c[*].status                       | \"True\"",
                ".n                                 | null",
            })
    void findsTheFirstMatch(String path, String found) {
        assertThat(SimplePath.parse(path).flatMap(p -> p.first(OBJECT)).map(JsonNode::toString))
                .contains(found);
    }

    @ParameterizedTest
    @ValueSource(strings = {".q", ".a.b[9]", ".a.b.c", ".c[?(@.type=='No')].status", ".a.e[*]"})
    void findsNothingForMissingMembers(String path) {
        assertThat(SimplePath.parse(path).flatMap(p -> p.first(OBJECT))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "..a", ".a[", ".a[x]", ".a[1:2]", ".a[?(1==1)]", "$.a"})
    void refusesOtherPaths(String path) {
        assertThat(SimplePath.parse(path)).isEmpty();
    }

    @Test
    void refusesLongPaths() {
        assertThat(SimplePath.parse(".a".repeat(65))).isEmpty();
        assertThat(SimplePath.parse(".a".repeat(64))).isPresent();
    }
}
