package io.tidemark.view.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataOrderCheckTest {
    private static final String ORDERED =
            "{\"name\":\"n{\\\"\",\"namespace\":\"ns\",\"resourceVersion\":\"42\",\"generation\":1,"
                + "\"labels\":{\"a\":\"1\",\"b\":null},\"annotations\":{\"\":\"x\",\"z\":\"y\"},\"ownerReferences\":[{\"kind\":\"K\",\"uid\":\"u\"},{}],\"finalizers\":["
                + " \"f\"],"
                + "\"managedFields\":[{\"manager\":\"m\",\"fieldsV1\":{\"f:z\":{},\"f:a\":{}}},"
                + "7,{\"operation\":\"Update\",\"subresource\":\"\"}]}";

    private static boolean isOrdered(byte[] json) {
        return MetadataOrderCheck.isOrdered(json, 0, json.length);
    }

    private static boolean isOrdered(String json) {
        return isOrdered(json.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isWrittenAsItIs(byte[] json) {
        return Arrays.equals(MetadataText.ordered(json, 0, json.length), json);
    }

    @Test
    void acceptsOrderedMetadata() {
        assertThat(isOrdered(ORDERED)).isTrue();
        assertThat(isWrittenAsItIs(ORDERED.getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(isOrdered("{}")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"uid\":\"u\",\"name\":\"n\"}",
                "{\"name\":\"n\",\"name\":\"n\"}",
                "{\"name\":\"n\",\"other\":1}",
                "{\"name\":\"\"}",
                "{\"name\":null}",
                "{\"finalizers\":[]}",
                "{\"labels\":{}}",
                "{\"labels\":{\"b\":\"1\",\"a\":\"1\"}}",
                "{\"annotations\":{\"deprecated.daemonset.template.generation\":\"1\"}}",
                "{\"ownerReferences\":[{\"uid\":\"u\",\"kind\":\"K\"}]}",
                "{\"managedFields\":[{\"manager\":null}]}",
                "{ \"name\":\"n\"}",
                "{\"name\": \"n\"}",
                "{\"name\":\"n\" }",
                "{\"name\":\"n\"} ",
                "{\"name\":\"n\"",
                "{\"name\"",
                "{",
                "",
                "[]"
            })
    void rejectsWhatWouldBeWrittenDifferently(String json) {
        assertThat(isOrdered(json)).isFalse();
    }

    @Test
    void acceptsOnlyWhatIsWrittenAsItIs() {
        SplittableRandom random = new SplittableRandom(5);
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] json = mutated(random);
            if (isOrdered(json)) {
                accepted++;
                assertThat(isWrittenAsItIs(json))
                        .as(new String(json, StandardCharsets.UTF_8))
                        .isTrue();
            }
        }
        assertThat(accepted).isGreaterThan(1_000);
    }

    /** With some characters replaced by others that occur, and some parts exchanged. */
    private static byte[] mutated(SplittableRandom random) {
        byte[] json = ORDERED.getBytes(StandardCharsets.UTF_8);
        for (int n = random.nextInt(3); n >= 0; n--) {
            json[random.nextInt(json.length)] = json[random.nextInt(json.length)];
        }
        if (random.nextInt(4) == 0) {
            String text = new String(json, StandardCharsets.UTF_8);
            String[] members = text.split("(?<=,)");
            int a = random.nextInt(members.length);
            int b = random.nextInt(members.length);
            String swapped = members[a];
            members[a] = members[b];
            members[b] = swapped;
            return String.join("", members).getBytes(StandardCharsets.UTF_8);
        }
        return json;
    }
}
