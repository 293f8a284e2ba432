package io.tidemark.connector.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.upstream.KeyValueDocuments.Bookmark;
import io.tidemark.connector.upstream.KeyValueDocuments.Changed;
import io.tidemark.connector.upstream.KeyValueDocuments.Line;
import io.tidemark.connector.upstream.KeyValueDocuments.Page;
import io.tidemark.connector.upstream.KeyValueDocuments.Refused;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.secret.PutSealer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyValueDocumentsTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Line line(String text) throws IOException {
        return KeyValueDocuments.line(bytes(text));
    }

    @Test
    void readsAPage() throws Exception {
        Page page =
                KeyValueDocuments.page(
                        bytes(
                                """
                                {"kind":"KeyValueList","metadata":{"resourceVersion":"12",\
                                "continue":"x","remainingItemCount":3},"items":[\
                                {"key":"/a","value":"\\u00e4\\n","createRevision":5,\
                                "modRevision":9,"version":2,"lease":"ffffffffffffffff"},\
                                {"keyBase64":"/wA=","valueBase64":"/gE=","createRevision":1,\
                                "modRevision":1,"version":1}]}\
                                """));

        assertThat(page.revision()).isEqualTo(12);
        assertThat(page.more()).isTrue();
        assertThat(page.remaining()).isEqualTo(3);
        assertThat(page.items())
                .containsExactly(
                        new KeyValue(Bytes.utf8("/a"), Bytes.utf8("\u00e4\n"), 5, 9, 2, -1),
                        new KeyValue(
                                Bytes.wrap(new byte[] {(byte) 0xff, 0}),
                                Bytes.wrap(new byte[] {(byte) 0xfe, 1}),
                                1,
                                1,
                                1,
                                0));
    }

    @Test
    void anItemMayHaveNoValue() throws Exception {
        String item = "{\"key\":\"/a\",\"createRevision\":5,\"modRevision\":9,\"version\":2}";
        String list =
                "{\"kind\":\"KeyValueList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[";
        Page page = KeyValueDocuments.page(bytes(list + item + "]}"));
        assertThat(page.items().getFirst().value()).isEqualTo(Bytes.EMPTY);
        assertThat(page.more()).isFalse();
    }

    @Test
    void keepsWhyAnItemHasNoValue() throws Exception {
        String problem = PutSealer.missing("2");
        String item =
                "{\"key\":\"/a\",\"problem\":\"%s\",\"createRevision\":5,\"modRevision\":9,\"version\":2}"
                        .formatted(problem);
        KeyValue expected =
                new KeyValue(
                        Bytes.utf8("/a"),
                        Bytes.EMPTY,
                        5,
                        9,
                        2,
                        0,
                        problem + " (at the followed Tidemark)");
        String list =
                "{\"kind\":\"KeyValueList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[";
        assertThat(KeyValueDocuments.page(bytes(list + item + "]}")).items())
                .containsExactly(expected);
        assertThat(line("{\"type\":\"MODIFIED\",\"object\":" + item + "}"))
                .isEqualTo(new Changed(new KeyChange.Put(expected, null)));
        assertThat(line("{\"type\":\"DELETED\",\"object\":" + item + "}"))
                .isEqualTo(new Changed(new KeyChange.Delete(Bytes.utf8("/a"), 9, null)));
    }

    @Test
    void readsLines() throws Exception {
        String object =
                "{\"key\":\"/a\",\"value\":\"1\",\"createRevision\":5,\"modRevision\":9,\"version\":2}}";
        KeyValue value = new KeyValue(Bytes.utf8("/a"), Bytes.utf8("1"), 5, 9, 2, 0);
        for (String type : new String[] {"ADDED", "MODIFIED"}) {
            assertThat(line("{\"type\":\"" + type + "\",\"object\":" + object))
                    .isEqualTo(new Changed(new KeyChange.Put(value, null)));
        }
        assertThat(line("{\"type\":\"DELETED\",\"object\":" + object))
                .isEqualTo(new Changed(new KeyChange.Delete(Bytes.utf8("/a"), 9, null)));
        String bookmark =
                "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"20\"}";
        assertThat(line(bookmark + "}}")).isEqualTo(new Bookmark(20, 0));
        assertThat(line(bookmark + ",\"asOf\":\"1970-01-01T00:00:01.500Z\"}}"))
                .isEqualTo(new Bookmark(20, 1_500));
        assertThat(
                        line(
                                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,"
                                        + "\"message\":\"too old\"}}"))
                .isEqualTo(new Refused(410, "too old"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"type\":\"NEW\"}",
                "{\"type\":\"ADDED\"}",
                "{\"type\":\"ADDED\",\"object\":{\"key\":\"/a\",\"value\":\"\"}}",
                "{\"type\":\"ADDED\",\"object\":{\"keyBase64\":\"?\",\"modRevision\":1}}",
                "{\"type\":\"DELETED\",\"object\":{\"key\":\"/a\",\"modRevision\":\"9\"}}",
                "{\"type\":\"DELETED\",\"object\":{\"key\":\"/a\",\"modRevision\":0}}",
                "{\"type\":\"BOOKMARK\",\"object\":{}}",
                "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"1\"},"
                        + "\"asOf\":\"soon\"}}",
                "{\"type\":\"ADDED\",\"object\":{\"key\":\"/a\",\"value\":\"\",\"createRevision\":1,"
                    + "\"modRevision\":1,\"version\":1,\"lease\":\"g\"}}",
                "{\"type\":\"ADDED\",\"object\":{\"key\":\"/a\",",
                "{\"type\":\"ADDED\",\"object\":{\"key\":\"/a\",\"problem\":\"a new one\","
                        + "\"createRevision\":1,\"modRevision\":1,\"version\":1}}",
                "{\"type\":\"ADDED\",\"object\":{\"key\":\"/a\",\"problem\":{},"
                        + "\"createRevision\":1,\"modRevision\":1,\"version\":1}}",
            })
    void refusesWhatIsNoLine(String text) {
        assertThatThrownBy(() -> line(text)).isInstanceOf(IOException.class);
    }

    @Test
    void refusesWhatIsNoList() {
        String empty =
                "{\"kind\":\"KeyValueList\",\"metadata\":{\"resourceVersion\":\"1\",\"continue\":\"x\"}}";
        for (String text : new String[] {"", "1", "{\"kind\":\"PodList\"}", empty}) {
            assertThatThrownBy(() -> KeyValueDocuments.page(bytes(text)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void quotesAStatusAndNothingElse() {
        assertThat(
                        KeyValueDocuments.refused(
                                403, bytes("{\"kind\":\"Status\",\"message\":\"no\"}")))
                .isEqualTo(new Refused(403, "no"));
        assertThat(KeyValueDocuments.refused(502, bytes("<html>")).message())
                .isEqualTo("an answer with status 502 that is no Status");
    }
}
