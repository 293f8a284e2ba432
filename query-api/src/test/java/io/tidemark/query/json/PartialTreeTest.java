package io.tidemark.query.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PartialTreeTest {
    private static final PartialTree ALL = new PartialTree(List.of());
    private static final String[] TEXTS = {
        "", "a", "b c", "\\\"", "\\\\", "\\n\\u00e9", "\\ud83d\\ude00", "é", "<&>", "{]", "\\u2028"
    };
    private static final String[] NUMBERS = {
        "0",
        "7",
        "-1",
        "123456789",
        "1234567890",
        "2147483648",
        "9223372036854775808",
        "1.0",
        "-0.5e3",
        "1e400"
    };

    @Test
    void isTheWholeTreeWhenNothingIsLeftOut() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 3_000; i++) {
            String json = value(random, 0);
            assertThat(read(ALL, json)).as(json).isEqualTo(GoJson.read(GoJson.utf8(json)));
        }
    }

    @Test
    void keepsWhatIsLeftOutAsNull() {
        PartialTree some = new PartialTree(List.of("a.b", "c.d.e", "c.d.g"));
        assertThat(read(some, "{\"a\":{\"b\":[{\"}\":1}],\"x\":1},\"b\":2}"))
                .isEqualTo(tree("{\"a\":{\"b\":null,\"x\":1},\"b\":2}"));
        assertThat(read(some, "{\"c\":{\"d\":[{\"e\":{\"f\":[]},\"f\":1},{\"g\":3}],\"e\":4}}"))
                .isEqualTo(tree("{\"c\":{\"d\":[{\"e\":null,\"f\":1},{\"g\":null}],\"e\":4}}"));
        assertThat(read(some, "{\"x\":{\"a\":{\"b\":5}}}"))
                .isEqualTo(tree("{\"x\":{\"a\":{\"b\":5}}}"));
    }

    @Test
    void readsDeepDocuments() {
        String deep = "[".repeat(500) + "]".repeat(500);
        assertThat(read(ALL, deep).toString()).isEqualTo(deep);
    }

    @Test
    void readsInvalidDocumentsWithinTheirBounds() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 3_000; i++) {
            byte[] json = GoJson.utf8("  " + value(random, 0) + "}]");
            int from = random.nextInt(json.length);
            int to = from + random.nextInt(json.length - from);
            json[random.nextInt(json.length)] = (byte) random.nextInt();
            try {
                assertThat(ALL.read(json, from, to)).isNotNull();
            } catch (java.io.UncheckedIOException _) {
                // Like a parser.
            }
        }
    }

    private static JsonNode read(PartialTree tree, String json) {
        byte[] bytes = GoJson.utf8("x" + json + "y");
        return tree.read(bytes, 1, bytes.length - 1);
    }

    private static JsonNode tree(String json) {
        return GoJson.read(GoJson.utf8(json));
    }

    private static String value(SplittableRandom random, int depth) {
        int kind = random.nextInt(depth > 4 ? 4 : 7);
        String blank = random.nextInt(5) == 0 ? " \n" : "";
        return blank
                + switch (kind) {
                    case 0 -> "\"" + pick(random, TEXTS) + "\"";
                    case 1 -> pick(random, NUMBERS);
                    case 2 -> random.nextBoolean() ? "true" : "false";
                    case 3 -> "null";
                    case 4 -> list(random, depth);
                    default -> object(random, depth);
                }
                + blank;
    }

    private static String list(SplittableRandom random, int depth) {
        StringBuilder list = new StringBuilder("[").append(random.nextInt(4) == 0 ? " " : "");
        for (int i = random.nextInt(4); i > 0; i--) {
            list.append(value(random, depth + 1)).append(i > 1 ? "," : "");
        }
        return list.append(']').toString();
    }

    private static String object(SplittableRandom random, int depth) {
        StringBuilder object = new StringBuilder("{").append(random.nextInt(4) == 0 ? " " : "");
        for (int i = random.nextInt(4); i > 0; i--) {
            object.append('"').append(pick(random, TEXTS)).append("\" :");
            object.append(value(random, depth + 1)).append(i > 1 ? "," : "");
        }
        return object.append('}').toString();
    }

    private static String pick(SplittableRandom random, String[] from) {
        return from[random.nextInt(from.length)];
    }
}
