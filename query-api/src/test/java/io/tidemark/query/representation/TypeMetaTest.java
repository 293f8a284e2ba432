package io.tidemark.query.representation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeMetaTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"kind\":\"A\",\"apiVersion\":\"v1\",\"a\":{\"kind\":1}} | {\"a\":{\"kind\":1}}",
                "{\"apiVersion\":\"v1\",\"kind\":\"A\",\"a\":1}            | {\"a\":1}",
                "{\"a\":1,\"kind\":\"A\",\"b\":2,\"apiVersion\":\"v1\"}    | {\"a\":1,\"b\":2}",
                "{\"kind\":\"A\",\"a\":[],\"apiVersion\":\"v1\"}           | {\"a\":[]}",
                "{\"kind\":\"\\u0041\",\"apiVersion\":\"v1\",\"a\":1}      | {\"a\":1}",
                "{\"kind\":\"A\",\"apiVersion\":\"v1\"}                    | {}",
                "{\"kind\":\"A\"}                                          | {}",
                "{}                                                        | {}",
                "{\"kind\":\"A\",\"apiVersion\":\"v                        | {",
            })
    void removesKindAndApiVersionAtAnyPosition(String json, String rest) throws IOException {
        byte[] stored = ("#####" + json).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TypeMeta.writeWithout(stored, 5, out);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(rest);
    }
}
