package io.tidemark.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompactJsonTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "0",
                "-0.5e+10",
                "true",
                "false",
                "null",
                "\"\"",
                "{\"a\":{}}",
                "[[],{}]",
                "{\"f:a\":{\".\":{},\"f:b\":{}}}",
                "[1,\"\\u00e9\\n\\/\",{\"a\":[null]}]",
                "\"é\""
            })
    void copiesCompactJsonUnchanged(String json) {
        assertThat(appended(json)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{ \"a\" : [ 1 , 2 ] , \"b\" : { } } | {\"a\":[1,2],\"b\":{}}",
                "[ ] | []",
                "\"a b\" | \"a b\"",
                "\"<>&\" | \"\\u003c\\u003e\\u0026\"",
                "{\"<\":1} | {\"\\u003c\":1}"
            })
    void dropsWhitespaceAndEscapesHtml(String json, String expected) {
        assertThat(appended("\n\t " + json + "\r\n")).isEqualTo(expected);
    }

    @Test
    void escapesLineSeparators() {
        assertThat(appended("\"a\u2028b\u2029€\"")).isEqualTo("\"a\\u2028b\\u2029€\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "]",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "{\"a\":1,}",
                "[1,]",
                "[1 2]",
                "01",
                "1.",
                ".5",
                "-",
                "1e",
                "+1",
                "tru",
                "nulll",
                "\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "{} {}",
                "1 1",
                "[}",
                "{]",
                "{\"a\":1]",
                "//",
                "NaN"
            })
    void refusesInvalidJson(String json) {
        assertThatExceptionOfType(MalformedJsonException.class).isThrownBy(() -> appended(json));
    }

    @Test
    void refusesTooDeepNesting() {
        assertThat(appended("[".repeat(900) + "]".repeat(900))).hasSize(1800);
        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(() -> appended("[".repeat(901) + "]".repeat(901)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void acceptsExactlyWhatAParserAccepts(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        String start = "{\"a\":[1,-2.5e3,true,null,\"x\\n\\u00e9\"],\"b\":{\"c\":{}, \"d\":[]}}";
        String pieces = "{}[],:\"\\ 0123456789-+.eEtruefalsn";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder json = new StringBuilder(start);
            for (int i = random.nextInt(3); i >= 0; i--) {
                int at = random.nextInt(json.length());
                char piece = pieces.charAt(random.nextInt(pieces.length()));
                if (random.nextBoolean()) {
                    json.setCharAt(at, piece);
                } else {
                    json.deleteCharAt(at);
                }
            }
            String text = json.toString();
            assertThat(isAccepted(text)).as(text).isEqualTo(isJson(text));
        }
    }

    private static boolean isAccepted(String json) {
        try {
            appended(json);
            return true;
        } catch (MalformedJsonException _) {
            return false;
        }
    }

    private static boolean isJson(String json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            int depth = 0;
            int values = 0;
            JsonToken token;
            while ((token = parser.nextToken()) != null) {
                if (depth == 0) {
                    values++;
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.VALUE_STRING) {
                    parser.getText();
                }
            }
            return values == 1;
        } catch (com.fasterxml.jackson.core.JsonProcessingException _) {
            return false;
        }
    }

    private static String appended(String json) {
        byte[] source = json.getBytes(StandardCharsets.UTF_8);
        JsonBuffer out = new JsonBuffer(8, 10_000);
        CompactJson.append(source, 0, source.length, out);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
