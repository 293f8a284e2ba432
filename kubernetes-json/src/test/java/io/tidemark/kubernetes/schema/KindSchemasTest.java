package io.tidemark.kubernetes.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.schema.KindSchemas.Count;
import io.tidemark.kubernetes.schema.KindSchemas.Member;
import io.tidemark.kubernetes.schema.KindSchemas.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

class KindSchemasTest {
    private static Member member(String type, String name) {
        return KindSchemas.members(type).stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void kindsHaveTypesAndTypesHaveMembers() {
        assertThat(KindSchemas.typeOf("v1", "Pod")).hasValue("core.v1.Pod");
        assertThat(KindSchemas.typeOf("v1", "Nope")).isEmpty();
        assertThat(KindSchemas.members("core.v1.Nope")).isEmpty();
        assertThat(KindSchemas.members("core.v1.Pod"))
                .extracting(Member::name)
                .containsExactly("metadata", "spec", "status");
        assertThat(member("core.v1.Pod", "spec").value())
                .isEqualTo(new Value.Message("core.v1.PodSpec"));
    }

    @Test
    void membersHaveACountAndAType() {
        assertThat(member("core.v1.PodSpec", "containers"))
                .isEqualTo(
                        new Member(
                                "containers", Count.LIST, new Value.Message("core.v1.Container")));
        assertThat(member("core.v1.PodSpec", "nodeSelector"))
                .isEqualTo(new Member("nodeSelector", Count.MAP, new Value.Scalar("string", "")));
        assertThat(member("core.v1.ResourceRequirements", "limits"))
                .isEqualTo(new Member("limits", Count.MAP, new Value.Quantity()));
        assertThat(member("core.v1.ServicePort", "targetPort").value())
                .isEqualTo(new Value.IntOrString());
        assertThat(member("meta.v1.ObjectMeta", "creationTimestamp").value())
                .isEqualTo(new Value.Scalar("string", "date-time"));
    }

    @Test
    void inlinedMembersBelongToTheEnclosingType() {
        List<String> volume =
                KindSchemas.members("core.v1.Volume").stream().map(Member::name).toList();
        assertThat(volume).contains("name", "emptyDir", "configMap").doesNotContain("-");
    }
}
