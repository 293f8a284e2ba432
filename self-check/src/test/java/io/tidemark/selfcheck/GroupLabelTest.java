package io.tidemark.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupLabelTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/registry/pods/",
                "/registry/services/specs/",
                "/registry/example.com/widgets/",
            })
    void showsAResource(String group) {
        assertThat(GroupLabel.of(Bytes.utf8(group))).isEqualTo(group);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/registry/",
                "/registry/pods/kube-system/",
                "/registry/example.com/widgets/kube-system/",
                "/registry/services/specs/kube-system/",
                "/customers/jane/",
                "/other/registry/pods/",
            })
    void showsNoOtherPartOfAKey(String group) {
        assertThat(GroupLabel.of(Bytes.utf8(group))).isEqualTo("other");
    }
}
