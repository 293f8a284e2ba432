package io.tidemark.client.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.NodeApiClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldBlameTest {
    /** Each field with the revision of its change; the revisions begin with 1. */
    private static List<String> blame(String... objects) throws Exception {
        List<String> items = new ArrayList<>();
        for (String object : objects) {
            items.add(
                    "{\"revision\":%d,\"type\":\"%s\",\"object\":%s}"
                            .formatted(
                                    items.size() + 1,
                                    items.isEmpty() ? "ADDED" : "MODIFIED",
                                    object));
        }
        String history = "{\"items\":[%s]}".formatted(String.join(",", items));
        return FieldBlame.of(NodeApiClient.JSON.readTree(history)).stream()
                .map(line -> line.path() + " " + line.version().path("revision").asText())
                .toList();
    }

    /** The list is one field, but a difference of two versions is of its elements. */
    @Test
    void namesTheLastChangeOfAnElementOfAListOfValues() throws Exception {
        assertThat(
                        blame(
                                "{\"args\":[\"a\",\"b\"],\"size\":1}",
                                "{\"args\":[\"a\",\"c\"],\"size\":1}",
                                "{\"args\":[\"a\",\"c\"],\"size\":2}"))
                .containsExactly("args 2", "size 3");
        assertThat(blame("{\"args\":[\"a\"]}", "{\"args\":[\"a\",\"b\"]}", "{\"args\":[\"a\"]}"))
                .containsExactly("args 3");
    }

    /** Elements without names, compared by their places, have none in an earlier version. */
    @Test
    void namesTheChangeAfterWhichElementsAreKnownByOtherMembers() throws Exception {
        assertThat(
                        blame(
                                "{\"ports\":[{\"port\":80}]}",
                                "{\"ports\":[{\"port\":80,\"name\":\"http\"}]}",
                                "{\"ports\":[{\"port\":81,\"name\":\"http\"}]}"))
                .containsExactly("ports[name=http].port 3", "ports[name=http].name 2");
    }
}
