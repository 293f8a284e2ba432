package io.tidemark.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.chaos.load.EtcdOracleWatch;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.load.ObjectText;
import io.tidemark.simulation.model.Item;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Reads lists and objects without a JSON parser. */
class ListTextTest {
    private static final ObjectSpace SPACE = new ObjectSpace(100, 4, 300);

    @Test
    void readsRevisionObjectsAndContinueToken() throws IOException {
        String list =
                """
                {"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"17",\
                "continue":"abc"},"items":[%s,%s]}\
                """
                        .formatted(served(3, 1, 11), served(4, 2, 12));
        ListText read = ListText.read(SPACE, bytes(list));
        assertThat(read.continuation()).isEqualTo("abc");
        assertThat(read.page().revision()).isEqualTo(17);
        assertThat(read.page().items()).containsExactly(item(3, 1, 11), item(4, 2, 12));
    }

    @Test
    void anEmptyListAndNoList() throws IOException {
        ListText read =
                ListText.read(
                        SPACE, bytes("{\"metadata\":{\"resourceVersion\":\"3\"},\"items\":[]}"));
        assertThat(read.page().items()).isEmpty();
        assertThat(read.continuation()).isEmpty();
        assertThatThrownBy(() -> ListText.read(SPACE, bytes("{\"kind\":\"Status\"}")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void theHashIgnoresTheResourceVersion() {
        byte[] last = bytes("{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"5\"},\"data\":1}");
        byte[] first =
                bytes("{\"metadata\":{\"resourceVersion\":\"77\",\"name\":\"a\"},\"data\":1}");
        byte[] none = bytes("{\"kind\":\"X\",\"metadata\":{\"name\":\"a\"},\"data\":1}");
        byte[] other = bytes("{\"metadata\":{\"name\":\"a\"},\"data\":2}");
        assertThat(hash(last)).isEqualTo(hash(first)).isEqualTo(hash(none));
        assertThat(hash(other)).isNotEqualTo(hash(none));
    }

    @Test
    void aForeignObjectHasNoIndex() {
        assertThat(SPACE.index("ns-003", "cm-0000003")).isEqualTo(3);
        assertThat(SPACE.index("ns-002", "cm-0000003")).isEqualTo(-1);
        assertThat(SPACE.index("ns-000", "cm-0000100")).isEqualTo(-1);
        assertThat(SPACE.index("ns-000", "other")).isEqualTo(-1);
    }

    private static Item item(int index, long serial, long revision) {
        byte[] value = SPACE.value(index, 0, serial).array();
        return new Item(SPACE.key(index), revision, EtcdOracleWatch.shown(hash(value)));
    }

    private static String served(int index, long serial, long revision) {
        return SPACE.value(index, 0, serial)
                .utf8()
                .replace("\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",", "")
                .replace("},\"data\"", ",\"resourceVersion\":\"" + revision + "\"},\"data\"");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long hash(byte[] json) {
        return ObjectText.hash(json, 0, json.length);
    }
}
