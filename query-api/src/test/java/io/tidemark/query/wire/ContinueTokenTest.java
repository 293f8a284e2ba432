package io.tidemark.query.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.status.StatusException;
import io.tidemark.record.Bytes;
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
    void isTheDocumentThatOthersKnow() {
        String encoded = new ContinueToken(3777, "ns/name\0", ContinueToken.NOT_COUNTED).encode();
        assertThat(new String(Base64.getUrlDecoder().decode(encoded), StandardCharsets.UTF_8))
                .isEqualTo("{\"v\":\"meta.k8s.io/v1\",\"rv\":3777,\"start\":\"ns/name\\u0000\"}");
        assertThat(encoded).doesNotContain("=");
    }

    @Test
    void comesBackAsItWas() {
        for (long remaining : new long[] {ContinueToken.NOT_COUNTED, ContinueToken.TOO_MANY, 7}) {
            ContinueToken token = new ContinueToken(-1, "é/<name>\0", remaining);
            assertThat(ContinueToken.decode(token.encode())).isEqualTo(token);
        }
    }

    @Test
    void otherServersTokensAreUnderstood() {
        assertThat(
                        ContinueToken.decode(
                                token(
                                        "{\"V\":\"meta.k8s.io/v1\",\"RV\":5,\"START\":\"/a/b\",\"x\":1}")))
                .isEqualTo(new ContinueToken(5, "a/b", ContinueToken.NOT_COUNTED));
    }

    @Test
    void anyBytesSurviveInATokenOfKeys() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        String start = KeyValueJson.asToken(Bytes.wrap(all));
        ContinueToken back = ContinueToken.decodeAnyStart(new ContinueToken(1, start, -1).encode());
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
""")
    void isRefused(String json, String why) {
        assertThatThrownBy(() -> ContinueToken.decode(token(json)))
                .isInstanceOf(StatusException.class)
                .message()
                .isEqualToIgnoringWhitespace(INVALID + why);
    }

    @ParameterizedTest
    @CsvSource({
        "garbage,''",
        "%%%,illegal base64 data at input byte 0",
        "0,illegal",
        "e30=,illegal"
    })
    void noTokenAtAll(String token, String why) {
        assertThatThrownBy(() -> ContinueToken.decode(token))
                .isInstanceOf(StatusException.class)
                .hasMessageStartingWith(INVALID + why);
    }
}
