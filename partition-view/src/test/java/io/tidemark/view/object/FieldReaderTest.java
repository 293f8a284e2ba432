package io.tidemark.view.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldReaderTest {
    private static final String JSON =
            "{\"a\":{\"x\":[{\"tier\":\"no\"}],\"spec\":{\"tier\":\"no\"}},\"spec\":{\"other\":{},"
                    + "\"tier\":\"gold\",\"n\":1.50,\"on\":true,\"none\":null,\"list\":[1],"
                    + "\"esc\":\"a\\u00fc\\n\",\"deep\":{\"er\":{\"x\":7}}},\"top\":\"t\"}";

    private static String read(String json, String path) {
        byte[] padded = ("??" + json + "?").getBytes(StandardCharsets.UTF_8);
        return FieldReader.read(padded, 2, padded.length - 1, path);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "spec.tier,gold",
                "spec.n,1.50",
                "spec.on,true",
                "spec.deep.er.x,7",
                "top,t",
                "spec.none,''",
                "spec.list,''",
                "spec.list.0,''",
                "spec.deep,''",
                "spec.tier.more,''",
                "spec.absent,''",
                "absent.tier,''",
                "'',''",
                "spec.,''"
            })
    void readsScalarsAsTextAndNothingElse(String path, String value) {
        assertThat(read(JSON, path)).isEqualTo(value);
    }

    @Test
    void decodesEscapes() {
        assertThat(read(JSON, "spec.esc")).isEqualTo("aü\n");
    }

    @Test
    void stopsAtTheField() {
        assertThat(read("{\"spec\":{\"tier\":\"gold\"},broken", "spec.tier")).isEqualTo("gold");
    }

    @Test
    void neverFailsOnCorruptBytes() {
        SplittableRandom random = new SplittableRandom(5);
        byte[] json = JSON.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) {
            byte[] broken = json.clone();
            broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            assertThat(FieldReader.read(broken, 0, broken.length, "spec.deep.er.x")).isNotNull();
        }
        assertThat(read("", "a")).isEmpty();
        assertThat(read("[1]", "a")).isEmpty();
    }

    @Test
    void selectionsFindFieldsThatWereNotExtracted() {
        StoredObject object = stored(Map.of("spec.on", "extracted", "spec.tier", ""));
        assertThat(matches(object, "spec.n", Operator.IN, "1.50")).isTrue();
        assertThat(matches(object, "spec.n", Operator.NOT_IN, "1.50")).isFalse();
        assertThat(matches(object, "spec.absent", Operator.IN, "")).isTrue();
        assertThat(matches(object, "spec.on", Operator.IN, "extracted")).isTrue();
        assertThat(matches(object, "spec.tier", Operator.IN, ""))
                .as("an extracted field that is not set is not read from the value again")
                .isTrue();
    }

    private static boolean matches(
            StoredObject object, String field, Operator operator, String value) {
        Requirement requirement = new Requirement(Source.FIELD, field, operator, Set.of(value));
        return new Selection(true, List.of(requirement)).matches(object);
    }

    private static StoredObject stored(Map<String, String> fields) {
        return StoredObject.encode(
                Bytes.utf8("k"),
                Bytes.utf8(JSON),
                ContentType.KUBERNETES_JSON,
                7,
                7,
                1,
                0,
                "",
                Map.of(),
                fields,
                0);
    }
}
