package io.tidemark.connector.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.value.CanonicalJson.Outcome;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {
    @Test
    void insertsTheResourceVersionAsTheLastMemberOfMetadata() {
        assertThat(
                        canonical(
                                """
                                {"kind": "Pod", "apiVersion":"v1",
                                  "metadata": { "name":"a", "labels":{"name":"x"} } , "spec":{"n": 1.50}}
                                """))
                .isEqualTo(
                        """
                        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"name":"x"},\
                        "resourceVersion":"42"},"spec":{"n":1.50}}\
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"7\"", "null", "7", "true", " \"a\\\"b\" "})
    void replacesAResourceVersionInPlace(String stored) {
        assertThat(
                        canonical(
                                "{\"metadata\":{\"resourceVersion\":"
                                        + stored
                                        + ",\"name\":\"a\"},\"kind\":\"K\",\"apiVersion\":\"v1\"}"))
                .isEqualTo(
                        "{\"metadata\":{\"resourceVersion\":\"42\",\"name\":\"a\"},\"kind\":\"K\",\"apiVersion\":\"v1\"}");
    }

    @Test
    void leavesResourceVersionsElsewhereAlone() {
        String text =
                "{\"apiVersion\":\"v1\",\"kind\":\"E\",\"resourceVersion\":\"1\",\"metadata\":{\"name\":\"a\",\"x\":{\"resourceVersion\":\"2\"},\"resourceVersion\":\"42\"},\"ref\":{\"metadata\":{\"resourceVersion\":\"3\"}}}";
        assertThat(canonical(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "[]|no JSON object",
                "\"text\"|no JSON object",
                "{}|no apiVersion",
                "{\"apiVersion\":\"v1\"}|no kind",
                "{\"apiVersion\":\"v1\",\"kind\":\"K\"}|no metadata",
                "{\"apiVersion\":\"v1\",\"kind\":\"K\",\"metadata\":{}}|no metadata.name",
                "{\"apiVersion\":1,\"kind\":\"K\",\"metadata\":{\"name\":\"n\"}}|apiVersion is no"
                        + " string",
                "{\"apiVersion\":\"v1\",\"kind\":[\"K\"],\"metadata\":{\"name\":\"n\"}}|kind is no"
                        + " string",
                "{\"apiVersion\":\"v1\",\"kind\":\"K\",\"metadata\":[{\"name\":\"n\"}]}|metadata is"
                        + " no object",
                "{\"apiVersion\":\"v1\",\"kind\":\"K\",\"metadata\":{\"name\":{}}}|metadata.name is"
                        + " no string",
                "{\"kind\":\"K\",\"kind\":\"L\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"}}|two"
                    + " members kind",
                "{\"kind\":\"K\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"na\\u006de\":\"m\"}}|two"
                    + " members metadata.name",
                "{\"kind\":\"K\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"resourceVersion\":{\"a\":1}}}|resourceVersion"
                    + " is no string",
            })
    void reportsWhyJsonIsNotAnObject(String text, String why) {
        assertThat(CanonicalJson.of(Bytes.utf8(text), 42))
                .isInstanceOfSatisfying(
                        Outcome.NoObject.class, no -> assertThat(no.why()).contains(why));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c080",
                "e08080",
                "eda080",
                "f08080af",
                "f4908080",
                "f5808080",
                "80",
                "c3",
                "e282",
                "ff"
            })
    void refusesInvalidUtf8(String hex) {
        String bytes = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
        byte[] text = ("{\"a\":\"" + bytes + "\"}").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(CanonicalJson.of(Bytes.wrap(text), 42))
                .isEqualTo(new Outcome.Malformed("invalid UTF-8 at byte 6"));
    }

    @Test
    void reportsWhereATextIsMalformed() {
        assertThat(CanonicalJson.of(Bytes.utf8("{\"a\":1,}"), 42))
                .isEqualTo(
                        new Outcome.Malformed(
                                "invalid character '}' looking for beginning of object key string"
                                        + " at byte 7"));
        assertThat(CanonicalJson.of(Bytes.utf8("{\"a\":1} x"), 42))
                .isEqualTo(
                        new Outcome.Malformed(
                                "invalid character 'x' after top-level value at byte 8"));
        assertThat(CanonicalJson.of(Bytes.EMPTY, 42))
                .isEqualTo(new Outcome.Malformed("unexpected end of JSON input at byte 0"));
    }

    private static String canonical(String text) {
        return ((Outcome.Canonical) CanonicalJson.of(Bytes.utf8(text), 42)).json().utf8();
    }
}
