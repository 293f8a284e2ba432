package io.tidemark.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBufferTest {
    private final JsonBuffer out = new JsonBuffer(1, 10_000);

    @Test
    void escapesAsGoDoes() {
        string("a\"b\\c\b\f\n\r\t\0\u001f\u007f<>&/é€😀\u2028\u2029\ufeff");

        assertThat(text())
                .isEqualTo(
                        "\"a\\\"b\\\\c\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\\u003c\\u003e\\u0026/é€😀"
                                + "\\u2028\\u2029\ufeff\"");
    }

    @ParameterizedTest
    @CsvSource({
        "ff, \\ufffd",
        "80, \\ufffd",
        "c3, \\ufffd",
        "c080, \\ufffd\\ufffd",
        "eda080, \\ufffd\\ufffd\\ufffd",
        "f4908080, \\ufffd\\ufffd\\ufffd\\ufffd",
        "e28041, \\ufffd\\ufffdA",
        "e282, \\ufffd\\ufffd",
        "61c3a962ff63, aéb\\ufffdc"
    })
    void replacesWhatIsNoUtf8(String hex, String expected) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        out.string(bytes, 0, bytes.length);

        assertThat(text()).isEqualTo("\"" + expected + "\"");
    }

    /** One after another, where a string is copied eight bytes at a time. */
    @Test
    void escapesAtEachPlaceAsAlone() {
        SplittableRandom random = new SplittableRandom(1);
        String[] pieces = {
            "a", "bcd", "~", "\u007f", " ", "\"", "\\", "<", ">", "&", "\0", "\u001f", "é", "€",
            "😀", "\u2028"
        };
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            for (int count = random.nextInt(30); count > 0; count--) {
                String piece = pieces[random.nextInt(pieces.length)];
                text.append(piece);
                String alone = JsonBuffer.quoted(piece);
                expected.append(alone, 1, alone.length() - 1);
            }

            assertThat(JsonBuffer.quoted(text.toString())).isEqualTo("\"" + expected + "\"");
        }
    }

    @Test
    void knowsUtf8AtEachPlace() {
        for (int before = 0; before < 20; before++) {
            byte[] text =
                    ("a".repeat(before) + "é" + "b".repeat(11)).getBytes(StandardCharsets.UTF_8);
            assertThat(Utf8.isValid(text, 0, text.length)).isTrue();
            assertThat(Utf8.isValid(text, 0, before + 1)).isFalse();
            text[before + 1] = 'x';
            assertThat(Utf8.isValid(text, 0, text.length)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, -7, 10, 99, 100, 1234567890123L, Long.MAX_VALUE, Long.MIN_VALUE})
    void printsNumbers(long value) {
        out.number(value);

        assertThat(text()).isEqualTo(Long.toString(value));
    }

    @Test
    void padsNumbers() {
        out.padded(7, 3);
        out.padded(1234, 3);

        assertThat(text()).isEqualTo("0071234");
    }

    @Test
    void separatesMembersAndElements() {
        byte[] member = ",\"a\":".getBytes(StandardCharsets.US_ASCII);
        out.put('{');
        out.member(member);
        out.put('[');
        out.separate();
        out.number(1);
        out.separate();
        out.number(2);
        out.put(']');
        out.member(member);
        out.number(3);
        out.put('}');

        assertThat(text()).isEqualTo("{\"a\":[1,2],\"a\":3}");
    }

    @Test
    void enforcesItsLimit() {
        JsonBuffer small = new JsonBuffer(100, 3);
        small.put(new byte[3]);

        assertThatExceptionOfType(JsonTooLargeException.class)
                .isThrownBy(() -> small.put('x'))
                .withMessage("the JSON is larger than 3 bytes");
        assertThat(small.size()).isEqualTo(3);
    }

    private void string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.string(utf8, 0, utf8.length);
    }

    private String text() {
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    @Test
    void writesTextsWithReplacedHalfPairs() {
        assertThat(JsonBuffer.quoted("a\ud800\"<\ud83d\ude00\udc00"))
                .isEqualTo("\"a\ufffd\\\"\\u003c\ud83d\ude00\ufffd\"");
    }

    @ParameterizedTest
    @CsvSource({"61c3a9e282acf09f9880,true", "'',true", "c3,false", "eda080,false", "61ff,false"})
    void recognizesUtf8(String hex, boolean valid) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(Utf8.isValid(bytes, 0, bytes.length)).isEqualTo(valid);
    }
}
