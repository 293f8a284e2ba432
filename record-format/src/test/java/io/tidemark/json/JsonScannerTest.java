package io.tidemark.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.json.JsonScanner.Token;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
    private static final String DOCUMENT =
            " {\"a\":[1, -2.5e3,true,null,\"x\\n\\u00e9\"],\"a\" :{\"c\":{},\"é😀\":[[]]}}\n";

    @Test
    void findsEachTokenWithItsPlaceAndDepth() {
        JsonScanner json = scanner(DOCUMENT, 10);
        List<String> found = new ArrayList<>();
        for (Token token = json.next(); token != Token.END; token = json.next()) {
            String text = DOCUMENT.substring(0, json.to()).substring(json.from());
            found.add(token + " " + json.depth() + " " + text);
            if (text.startsWith("\"c")) {
                break;
            }
        }
        assertThat(found)
                .containsExactly(
                        "OBJECT 1 {",
                        "NAME 1 \"a\"",
                        "ARRAY 2 [",
                        "SCALAR 2 1",
                        "SCALAR 2 -2.5e3",
                        "SCALAR 2 true",
                        "SCALAR 2 null",
                        "SCALAR 2 \"x\\n\\u00e9\"",
                        "CLOSE 1 ]",
                        "NAME 1 \"a\"",
                        "OBJECT 2 {",
                        "NAME 2 \"c\"");
    }

    @Test
    void reportsTheTextsBoundsWithoutBlanks() {
        JsonScanner json = scanner(" \r\n[1,2]\t ", 1);
        json.finish();
        assertThat(json.textFrom()).isEqualTo(3);
        assertThat(json.to()).isEqualTo(8);
        assertThat(json.isCompact()).isTrue();
        assertThat(json.hasHtml()).isFalse();
        assertThat(json.next()).isEqualTo(Token.END);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[ ]", "[1 ]", "[1 ,2]", "[1, 2]", "{ \"a\":1}", "{\"a\" :1}", "{\"a\": 1}"})
    void noticesBlanksBetweenTokens(String text) {
        JsonScanner json = scanner(text, 1);
        json.finish();
        assertThat(json.isCompact()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "3c,true",
        "3e,true",
        "26,true",
        "2028,true",
        "2029,true",
        "2027,false",
        "2f,false"
    })
    void noticesWhatGoEscapesForHtml(String codePoint, boolean html) {
        String name = Character.toString(HexFormat.fromHexDigits(codePoint));
        JsonScanner json = scanner("{\"" + name + "\":1}", 1);
        json.finish();
        assertThat(json.hasHtml()).isEqualTo(html);
    }

    @Test
    void refusesEveryTruncation() {
        byte[] text = DOCUMENT.strip().getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < text.length; length++) {
            JsonScanner json = new JsonScanner(text, 0, length, 10, false);
            MalformedJsonException e =
                    catchThrowableOfType(MalformedJsonException.class, json::finish);
            assertThat(e.problem()).isEqualTo("unexpected end of JSON input");
            assertThat(e.position()).isEqualTo(length);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "[1,]|3|invalid character ']' looking for beginning of value",
                "{\"a\":1,}|7|invalid character '}' looking for beginning of object key string",
                "{\"a\"1}|4|invalid character '1' after object key",
                "{\"a\":1]|6|invalid character ']' after object key:value pair",
                "[1}|2|invalid character '}' after array element",
                "1 1|2|invalid character '1' after top-level value",
                "01|1|invalid character '1' after top-level value",
                "-x|1|invalid character 'x' in numeric literal",
                "1.e1|2|invalid character 'e' after decimal point in numeric literal",
                "1e+x|3|invalid character 'x' in exponent of numeric literal",
                "nuLl|2|invalid character 'L' in literal null (expecting 'l')",
                "\"\\x\"|2|invalid character 'x' in string escape code",
                "\"\\u00g0\"|5|invalid character 'g' in \\u hexadecimal character escape",
                "\"\t\"|1|invalid character '\\t' in string literal",
                "'|0|invalid character '\\'' looking for beginning of value",
                "\u007f|0|invalid character '\\x7f' looking for beginning of value",
            })
    void reportsErrorsInGosWords(String text, int position, String problem) {
        MalformedJsonException e =
                catchThrowableOfType(
                        MalformedJsonException.class, () -> scanner(text, 10).finish());
        assertThat(e.problem()).isEqualTo(problem);
        assertThat(e.position()).isEqualTo(position);
    }

    @Test
    void boundsTheDepth() {
        scanner("[".repeat(129) + "]".repeat(129), 129).finish();
        scanner("[{\"a\":[]},{\"a\":[]}]", 3).finish();
        JsonScanner deep = scanner("[".repeat(5_000_000), 128);
        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(deep::finish)
                .withMessage("not JSON: exceeded max depth at byte 128");
    }

    @Test
    void keepsTheKindsOfManyOpenBrackets() {
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder open = new StringBuilder();
        StringBuilder close = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            boolean object = random.nextBoolean();
            open.append(object ? "{\"a\":" : "[");
            close.insert(0, object ? '}' : ']');
        }
        scanner(open + "1" + close, 1000).finish();
        close.setCharAt(500, close.charAt(500) == '}' ? ']' : '}');
        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(scanner(open + "1" + close, 1000)::finish);
    }

    @Test
    void acceptsHugeNumbersDuplicatesAndLoneSurrogates() {
        scanner("-" + "9".repeat(100_000) + "." + "0".repeat(100_000) + "e999999", 0).finish();
        scanner("{\"a\":1,\"a\":2}", 1).finish();
        scanner("\"\\ud800\"", 0).finish();
    }

    @Test
    void refusesInvalidUtf8OnlyWhenAsked() {
        byte[] text = {'"', 'a', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'};
        new JsonScanner(text, 0, text.length, 0, false).finish();
        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(new JsonScanner(text, 0, text.length, 0, true)::finish)
                .withMessage("not JSON: invalid UTF-8 at byte 2");
    }

    @Test
    void neverReadsOutsideItsBounds() {
        SplittableRandom random = new SplittableRandom(7);
        byte[] document = DOCUMENT.getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 100_000; round++) {
            byte[] text = document.clone();
            text[random.nextInt(text.length)] = (byte) random.nextInt(256);
            text[random.nextInt(text.length)] = (byte) random.nextInt(256);
            int from = random.nextInt(text.length);
            int to = from + random.nextInt(text.length - from + 1);
            assertThat(isAccepted(text, from, to))
                    .isEqualTo(isAccepted(Arrays.copyOfRange(text, from, to), 0, to - from));
            int end = ValidJson.afterValue(text, from, to);
            assertThat(end).isBetween(from, to);
            JsonMembers members = new JsonMembers(text, from, to);
            while (members.next()) {
                assertThat(members.valueTo()).isBetween(members.valueFrom() + 1, to);
            }
        }
    }

    private static boolean isAccepted(byte[] text, int from, int to) {
        try {
            new JsonScanner(text, from, to, 10, true).finish();
            return true;
        } catch (MalformedJsonException _) {
            return false;
        }
    }

    private static JsonScanner scanner(String text, int maxDepth) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return new JsonScanner(utf8, 0, utf8.length, maxDepth, true);
    }
}
