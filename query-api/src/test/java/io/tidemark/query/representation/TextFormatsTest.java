package io.tidemark.query.representation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.json.JsonIndenter;
import io.tidemark.query.json.GoJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** JSON, indented JSON and YAML as text. */
class TextFormatsTest {
    @Test
    void printsNumbersAsGoDoesAndReplacesHalfPairs() {
        String json = "{\"a\":[%s,12345678901234567890,true,null,{},[]],\"b\":\"";
        byte[] read = bytes(json.formatted("1.50,-0.0,1.0E25,0.0005") + "\\ud800<\"}");
        assertThat(text(GoJson.write(GoJson.read(read))))
                .isEqualTo(json.formatted("1.5,-0,1e+25,0.0005") + "\ufffd\\u003c\"}");
    }

    @Test
    void escapesAngleBracketsAndSeparatorsInJson() {
        assertThat(text(quoted("<a>&\u2028\u0001\n\"é")))
                .isEqualTo("\"\\u003ca\\u003e\\u0026\\u2028\\u0001\\n\\\"é\"");
    }

    @Test
    void indentsPiecesLikeTheWhole() {
        String json = "{\"a\":{},\"b\":[],\"c\":[1,{\"d\":\"{[,:\\\"\"}],\"e\":[[]]}";
        String expected =
                """
                {
                  "a": {},
                  "b": [],
                  "c": [
                    1,
                    {
                      "d": "{[,:\\""
                    }
                  ],
                  "e": [
                    []
                  ]
                }\
                """;

        assertThat(text(JsonIndenter.indented(bytes(json)))).isEqualTo(expected);
        JsonIndenter indenter = new JsonIndenter();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte b : bytes(json)) {
            out.writeBytes(indenter.next(new byte[] {b}));
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "yes        | \"yes\"",
                "Null       | \"Null\"",
                "0x1f       | \"0x1f\"",
                "1e3        | \"1e3\"",
                "12:30      | \"12:30\"",
                "08:30      | \"08:30\"",
                "0X1F       | \"0X1F\"",
                "0B101      | \"0B101\"",
                "0o17       | \"0o17\"",
                "-0b11      | \"-0b11\"",
                "0xg        | 0xg",
                "0xffffffffffffffff  | \"0xffffffffffffffff\"",
                "0x1ffffffffffffffff | 0x1ffffffffffffffff",
                "089        | \"089\"",
                "1_000.5    | \"1_000.5\"",
                ".5e1       | \".5e1\"",
                "1e999      | 1e999",
                ".          | .",
                "+          | +",
                "2024-1-2   | \"2024-1-2\"",
                "2024-13-45 | 2024-13-45",
                "2024-1-2T3:04:05Z      | \"2024-1-2T3:04:05Z\"",
                "2024-01-02 03:04:05.6  | \"2024-01-02 03:04:05.6\"",
                "2024-01-02T03:04:05    | 2024-01-02T03:04:05",
                "2024-01-02T24:04:05Z   | 2024-01-02T24:04:05Z",
                "2026-01-01 | \"2026-01-01\"",
                "v1.2       | v1.2",
                "10.0.0.1   | 10.0.0.1",
                "a: b       | 'a: b'",
                "- a        | '- a'",
                "é          | é",
                "a\u2029b   | 'a\u2029b'",
                "\ufdd0l    | \ufdd0l",
            })
    void quotesStringsOnlyWhenNecessary(String string, String yaml) {
        assertThat(text(YamlWriter.document(quoted(string)))).isEqualTo(yaml + "\n");
    }

    @Test
    void keepsUnicodeLineSeparatorsWhereParsersKeepThem() {
        assertThat(text(YamlWriter.document(quoted("\u2028")))).isEqualTo("'\u2028'\n");
        assertThat(text(YamlWriter.document(quoted("a \u2028")))).isEqualTo("\"a \\L\"\n");
        assertThat(text(YamlWriter.document(quoted("\t\u2028")))).isEqualTo("\"\\t\\L\"\n");
    }

    @Test
    void quotesLongNumbersToo() {
        String digits = "1".repeat(300);
        assertThat(text(YamlWriter.document(quoted(digits)))).isEqualTo('"' + digits + "\"\n");
        String infinite = "1".repeat(400);
        assertThat(text(YamlWriter.document(quoted(infinite)))).isEqualTo(infinite + "\n");
    }

    /** A value of any user: time that grows with its square would hold a thread for a minute. */
    @ParameterizedTest
    @CsvSource({
        "0x, f, false",
        "'', 7, false",
        "0, 7, false",
        "1, ':1', true",
        "'', _, false",
        "1, _, true"
    })
    void readsLongTextOnce(String start, String repeated, boolean quoted) {
        assertThat(YamlScalars.needsQuotes(start + repeated.repeat(1_400_000))).isEqualTo(quoted);
    }

    @Test
    void quotesWhatGoReadsAsAnInteger() {
        assertThat(YamlScalars.needsQuotes("0x" + "0".repeat(100) + "f".repeat(16))).isTrue();
        assertThat(YamlScalars.needsQuotes("0x1" + "0".repeat(16))).isFalse();
        assertThat(YamlScalars.needsQuotes("-0b1" + "0".repeat(63))).isTrue();
        assertThat(YamlScalars.needsQuotes("0b" + "1".repeat(65))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0.0005, 0.0005",
        "0.00005, 5e-05",
        "999999.5, 999999.5",
        "12345678.5, 1.23456785e+07",
        "-1.5e300, -1.5e+300",
        "1.0, 1",
        "12345678, 12345678",
        "18446744073709551615, 18446744073709551615",
        "-9223372036854775808, -9223372036854775808",
        "100000000000000000000, 1e+20",
    })
    void writesNumbersAsGoDoes(String json, String yaml) {
        assertThat(text(YamlWriter.document(bytes(json)))).isEqualTo(yaml + "\n");
    }

    @Test
    void countsZerosAfterDigitsInTheOrderOfMembers() {
        assertThat(text(YamlWriter.document(bytes("{\"k100\":1,\"k19\":2,\"k0100\":3}"))))
                .isEqualTo("k19: 2\nk100: 1\nk0100: 3\n");
    }

    @Test
    void sortsMembersWithNumbersAsNumbers() {
        assertThat(
                        text(
                                YamlWriter.document(
                                        bytes(
                                                "{\"b10\":1,\"b9\":2,\"a-b\":3,\"ab\":4,"
                                                        + "\"a.b\":5}"))))
                .isEqualTo("a-b: 3\na.b: 5\nab: 4\nb9: 2\nb10: 1\n");
    }

    /** The order is not transitive: 1a before 2, 2 before 12, 12 before 1a. */
    @Test
    void sortsAnyNames() {
        for (int seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ObjectNode object = GoJson.NODES.objectNode();
            for (int i = 0; i < 200; i++) {
                object.put("%08x".formatted(random.nextInt()), i);
            }
            assertThat(YamlWriter.sortedNames(object))
                    .as("seed %d", seed)
                    .hasSize(object.size())
                    .containsOnlyOnceElementsOf(object::fieldNames);
        }
    }

    @Test
    void writesMultipleLinesAsABlock() {
        assertThat(text(YamlWriter.document(bytes("{\"a\":\"x\\ny\\n\",\"b\":\"x\\ny\"}"))))
                .isEqualTo("a: |\n  x\n  y\nb: |-\n  x\n  y\n");
    }

    @Test
    void roundTripsYaml() throws IOException {
        long seed = Long.getLong("tidemark.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        String alphabet = " \t:#-'\"\\{}[],&*?|>%@`!~=.0123e+xyn\n\r\u0085\u2028\u2029\ufdd0lpmé";
        ObjectMapper mapper = new ObjectMapper();
        for (int round = 0; round < 3000; round++) {
            StringBuilder string = new StringBuilder();
            for (int i = random.nextInt(1, 120); i > 0; i--) {
                string.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] json =
                    mapper.writeValueAsBytes(mapper.createObjectNode().put("a", string.toString()));
            Object read =
                    new Yaml().<Map<String, Object>>load(text(YamlWriter.document(json))).get("a");
            assertThat(read).as("seed %d: %s", seed, text(json)).isEqualTo(string.toString());
        }
    }

    private static byte[] quoted(String text) {
        return GoJson.write(GoJson.NODES.textNode(text));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
