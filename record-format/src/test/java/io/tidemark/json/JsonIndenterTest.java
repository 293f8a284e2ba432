package io.tidemark.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JsonIndenterTest {
    private static final String COMPACT =
            "{\"a\":{},\"b\":[],\"c\":[1,true,{\"d\":\"x, {y}: \\\\\\\" \\\\\"}],\"é\":null}";
    private static final String INDENTED =
            """
            {
              "a": {},
              "b": [],
              "c": [
                1,
                true,
                {
                  "d": "x, {y}: \\\\\\" \\\\"
                }
              ],
              "é": null
            }\
            """;

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[]... pieces) {
        StringBuilder all = new StringBuilder();
        for (byte[] piece : pieces) {
            all.append(new String(piece, StandardCharsets.ISO_8859_1));
        }
        return new String(
                all.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @Test
    void indentsByTwoBlanksAndKeepsEmptyOnesOnALine() {
        assertThat(text(JsonIndenter.indented(utf8(COMPACT)))).isEqualTo(INDENTED);
    }

    @Test
    void piecesMayBeCutAnywhere() {
        byte[] compact = utf8(COMPACT);
        for (int cut = 0; cut <= compact.length; cut++) {
            JsonIndenter indenter = new JsonIndenter();
            byte[] first = indenter.next(Arrays.copyOf(compact, cut));
            byte[] second = indenter.next(Arrays.copyOfRange(compact, cut, compact.length));
            assertThat(text(first, second)).isEqualTo(INDENTED);
        }
    }
}
