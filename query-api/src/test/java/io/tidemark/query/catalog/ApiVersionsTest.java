package io.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ApiVersionsTest {
    @Test
    void ordersStableBeforeBetaBeforeAlphaBeforeOthers() {
        List<String> sorted =
                List.of(
                                "v1alpha1",
                                "foo10",
                                "v1",
                                "v10",
                                "v2",
                                "v1beta2",
                                "v11beta2",
                                "v1beta1",
                                "foo1",
                                "v2alpha1",
                                "v99999999999")
                        .stream()
                        .sorted(ApiVersions.PREFERRED_FIRST)
                        .toList();

        assertThat(sorted)
                .containsExactly(
                        "v10",
                        "v2",
                        "v1",
                        "v11beta2",
                        "v1beta2",
                        "v1beta1",
                        "v2alpha1",
                        "v1alpha1",
                        "foo1",
                        "foo10",
                        "v99999999999");
    }
}
