package io.tidemark.query.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.serving.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContinueTokenTest {
    private static final String INVALID = "invalid continue token: continue key is not valid: ";

    private static String token(String json) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void encodesTheKubernetesDocument() {
        String encoded = new ContinueToken(3777, "ns/name\0").encode();
        assertThat(new String(Base64.getUrlDecoder().decode(encoded), StandardCharsets.UTF_8))
                .isEqualTo("{\"v\":\"meta.k8s.io/v1\",\"rv\":3777,\"start\":\"ns/name\\u0000\"}");
        assertThat(encoded).doesNotContain("=");
    }

    @Test
    void roundTrips() {
        ContinueToken token = new ContinueToken(-1, "é/<name>\0");
        assertThat(ContinueToken.decode(token.encode())).isEqualTo(token);
    }

    @Test
    void namesTheEpochUnlessItIsTheFirst() {
        String encoded = new ContinueToken(7, "a", 12).encode();
        assertThat(new String(Base64.getUrlDecoder().decode(encoded), StandardCharsets.UTF_8))
                .isEqualTo("{\"v\":\"meta.k8s.io/v1\",\"rv\":7,\"start\":\"a\",\"epoch\":12}");
        assertThat(ContinueToken.decode(encoded)).isEqualTo(new ContinueToken(7, "a", 12));
        assertThat(ContinueToken.decode(new ContinueToken(7, "a", 1).encode()).epoch())
                .isEqualTo(1);
    }

    @Test
    void decodesTokensOfOtherServers() {
        assertThat(
                        ContinueToken.decode(
                                token(
                                        "{\"V\":\"meta.k8s.io/v1\",\"RV\":5,\"START\":\"/a/b\",\"x\":1}")))
                .isEqualTo(new ContinueToken(5, "a/b"));
    }

    @Test
    void roundTripsAnyBytesOfAKey() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        String start = KeyValueJson.asToken(Bytes.wrap(all));
        ContinueToken back = ContinueToken.decodeAnyStart(new ContinueToken(1, start).encode());
        assertThat(KeyValueJson.fromToken(back.start())).isEqualTo(Bytes.wrap(all));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
"""
{"v":"meta.k8s.io/v1","rv":0,"start":"a"} | incorrect encoded start resourceVersion (version meta.k8s.io/v1)
{"v":"meta.k8s.io/v1","rv":5,"start":""} | encoded start key empty (version meta.k8s.io/v1)
{"v":"v2","rv":5,"start":"a"} | server does not recognize this encoded version v2
{"rv":5,"start":"a"} | server does not recognize this encoded version
{"v":"meta.k8s.io/v1","rv":5,"start":"../../secrets/x"} | ../../secrets/x
{"v":"meta.k8s.io/v1","rv":5,"start":"/../x"} | /../x
{"v":"meta.k8s.io/v1","rv":5,"start":"a//b"} | a//b
{"v":"meta.k8s.io/v1","rv":5,"start":"a/"} | a/
{"v":"meta.k8s.io/v1","rv":5,"start":"."} | .
{"v":"meta.k8s.io/v1","rv":"5","start":"a"} | json: cannot unmarshal string into Go struct field continueToken.rv of type int64
{"v":"meta.k8s.io/v1","rv":1.5,"start":"a"} | json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64
{"v":"meta.k8s.io/v1","rv":5,"start":5} | json: cannot unmarshal number into Go struct field continueToken.start of type string
{"v":"meta.k8s.io/v1","rv":5,"start":"a"} trailing | invalid character 't' after top-level value
{"v":5,"rv":"x","start":"a"} | json: cannot unmarshal number into Go struct field continueToken.v of type string
{"rv":99999999999999999999,"v":"meta.k8s.io/v1"} | json: cannot unmarshal number 99999999999999999999 into Go struct field continueToken.rv of type int64
[1] | json: cannot unmarshal array into Go value of type storage.continueToken
"a" | json: cannot unmarshal string into Go value of type storage.continueToken
null | server does not recognize this encoded version
{"v":null,"rv":5} | server does not recognize this encoded version
{"v":"meta.k8s.io/v1" | unexpected end of JSON input
{"v" 5} | invalid character '5' after object key
{"v":"a";} | invalid character ';' after object key:value pair
{,} | invalid character ',' looking for beginning of object key string
[1 2] | invalid character '2' after array element
{"v":nul} | invalid character '}' in literal null (expecting 'l')
{"v":01} | invalid character '1' after object key:value pair
{"v":-x} | invalid character 'x' in numeric literal
{"v":1.x} | invalid character 'x' after decimal point in numeric literal
{"v":1e+} | invalid character '}' in exponent of numeric literal
{"v":"\\q"} | invalid character 'q' in string escape code
{"v":"\\u00g0"} | invalid character 'g' in \\u hexadecimal character escape
é | invalid character 'Ã' looking for beginning of value
""")
    void isRefused(String json, String why) {
        assertThatThrownBy(() -> ContinueToken.decode(token(json)))
                .isInstanceOf(StatusException.class)
                .message()
                .isEqualToIgnoringWhitespace(INVALID + why);
    }

    @Test
    void decodesLikeAGoStruct() {
        assertThat(
                        ContinueToken.decode(
                                token(
                                        "{\"start\":\"x\",\"V\":\"meta.k8s.io/v1\",\"rv\":1,"
                                            + "\"more\":{\"rv\":[7]},\"Rv\":3,\"start\":null}")))
                .isEqualTo(new ContinueToken(3, "x"));
    }

    @Test
    void refusesInvalidTextAndDeepDocumentsLikeGo() {
        assertThatThrownBy(() -> ContinueToken.decode("garbage"))
                .hasMessage(INVALID + "invalid character '\\u0081' looking for beginning of value");
        assertThatThrownBy(() -> ContinueToken.decode(token("[".repeat(6000))))
                .hasMessage(INVALID + "unexpected end of JSON input");
        assertThatThrownBy(() -> ContinueToken.decode(token("1".repeat(6000))))
                .hasMessageStartingWith(INVALID + "json: cannot unmarshal number into Go value");
    }

    @ParameterizedTest
    @CsvSource({
        "garbage,''",
        "%%%,illegal base64 data at input byte 0",
        "0,illegal",
        "e30=,illegal"
    })
    void refusesArbitraryText(String token, String why) {
        assertThatThrownBy(() -> ContinueToken.decode(token))
                .isInstanceOf(StatusException.class)
                .hasMessageStartingWith(INVALID + why);
    }
}
