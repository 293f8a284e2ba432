package io.tidemark.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidJsonTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain|plain",
                "k\\u0069n\\u0064|kind",
                "\\\"\\\\\\/\\b\\f\\n\\r\\t|`\"\\/\b\f\n\r\t`",
                "\\\\u0069|\\u0069",
                "\\u00e9é\\ud83d\\ude00|éé😀",
                "\\u006|\\u006",
                "\\u+069|\\u+069",
                "\\x|\\x",
                "\\|\\",
                "``|``"
            })
    void unescapesAndKeepsWhatIsNoEscape(String escaped, String expected) {
        byte[] json = ("?" + escaped + "?").getBytes(StandardCharsets.UTF_8);
        assertThat(ValidJson.unescaped(json, 1, json.length - 1)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1,2|1",
                "true}|true",
                "\"a\\\"]\",|\"a\\\"]\"",
                "[1, {\"]\":[]}],|[1, {\"]\":[]}]",
                "{} |{}",
                "[1, 2|[1, 2",
                "\"a\\|\"a\\",
                ",|``"
            })
    void findsTheEndOfAValue(String text, String value) {
        byte[] json = text.getBytes(StandardCharsets.UTF_8);
        int end = ValidJson.afterValue(json, 0, json.length);
        assertThat(text.substring(0, end)).isEqualTo(value);
    }
}
