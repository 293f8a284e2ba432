package io.tidemark.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoQuoteTest {
    @Test
    void quotesStringsAsGoDoes() {
        assertThat(GoQuote.string("a\"b'c\\\u0007\b\f\n\r\t\u000b\0\u007f<é😀"))
                .isEqualTo("\"a\\\"b'c\\\\\\a\\b\\f\\n\\r\\t\\v\\x00\\x7f<é😀\"");
        String unprintable = "\u0080\u00a0\u00ad\u2028\ufeff\ue000" + Character.toString(0x10ffff);
        assertThat(GoQuote.string(unprintable))
                .isEqualTo("\"\\u0080\\u00a0\\u00ad\\u2028\\ufeff\\ue000\\U0010ffff\"");
    }

    @Test
    void quotesCharactersAsGoDoes() {
        assertThat(GoQuote.character('a')).isEqualTo("'a'");
        assertThat(GoQuote.character('"')).isEqualTo("'\"'");
        assertThat(GoQuote.character('\'')).isEqualTo("'\\''");
        assertThat(GoQuote.character(0x81)).isEqualTo("'\\u0081'");
    }
}
