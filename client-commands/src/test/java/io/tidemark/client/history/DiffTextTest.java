package io.tidemark.client.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.NodeApiClient;
import io.tidemark.diff.FieldDiff;
import org.junit.jupiter.api.Test;

class DiffTextTest {
    @Test
    void summaryNamesTheFirstFields() throws Exception {
        assertThat(
                        DiffText.summary(
                                FieldDiff.between(
                                        NodeApiClient.JSON.readTree(
                                                "{\"a\":1,\"b\":2,\"c\":[1,2],\"d\":1}"),
                                        NodeApiClient.JSON.readTree(
                                                "{\"a\":2,\"b\":3,\"c\":[2,3]}"),
                                        false)))
                .isEqualTo("a, b, c (+1)");
    }
}
