package io.tidemark.query.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.PutSealer;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyValueJsonTest {
    private static String json(Bytes value, String unreadable) {
        StoredObject object =
                StoredObject.encode(
                        Bytes.utf8("/a"),
                        value,
                        ContentType.RAW,
                        9,
                        5,
                        2,
                        0,
                        unreadable,
                        Map.of(),
                        Map.of(),
                        0);
        return new String(KeyValueJson.of(object, 9), StandardCharsets.UTF_8);
    }

    @Test
    void saysWhyASecretHasNoValue() {
        assertThat(json(Bytes.EMPTY, PutSealer.missing("2")))
                .isEqualTo(
                        "{\"key\":\"/a\",\"problem\":\"encrypted with key 2, which this node does"
                            + " not have\",\"createRevision\":5,\"modRevision\":9,\"version\":2}");
    }

    @Test
    void hasTheValueOfWhatIsNoObject() {
        assertThat(json(Bytes.EMPTY, "empty"))
                .isEqualTo(
                        "{\"key\":\"/a\",\"value\":\"\",\"createRevision\":5,\"modRevision\":9,"
                                + "\"version\":2}");
        assertThat(json(Bytes.wrap(new byte[] {-1}), "")).contains("\"valueBase64\":\"/w==\"");
    }
}
