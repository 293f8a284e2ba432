package io.tidemark.kubernetes.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.record.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZeroObjectsTest {
    private final ZeroObjects zeros = new ZeroObjects();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "v1|ConfigMap|'metadata':{}",
                "v1|Secret|'metadata':{}",
                "v1|ServiceAccount|'metadata':{}",
                "v1|Pod|'metadata':{},'spec':{'containers':null},'status':{}",
                "v1|Namespace|'metadata':{},'spec':{},'status':{}",
                "v1|Service|'metadata':{},'spec':{},'status':{'loadBalancer':{}}",
                "v1|PersistentVolumeClaim|'metadata':{},'spec':{'resources':{}},'status':{}",
                "coordination.k8s.io/v1|Lease|'metadata':{},'spec':{}",
                "rbac.authorization.k8s.io/v1|Role|'metadata':{},'rules':null",
                "batch/v1|Job|'metadata':{},'spec':{'template':{'metadata':{},"
                        + "'spec':{'containers':null}}},'status':{}",
                "apps/v1|Deployment|'metadata':{},'spec':{'replicas':0,'selector':null,"
                        + "'template':{'metadata':{},'spec':{'containers':null}},"
                        + "'strategy':{}},'status':{}",
                "scheduling.k8s.io/v1|PriorityClass|'metadata':{},'value':0",
            })
    void printsTheMembersThatAreAlwaysPrinted(String apiVersion, String kind, String members) {
        assertThat(text(apiVersion, kind))
                .isEqualTo(
                        "{\"kind\":\"%s\",\"apiVersion\":\"%s\",%s}"
                                .formatted(kind, apiVersion, members.replace('\'', '"')));
    }

    @Test
    void printsAnnotationsForInternalFields() {
        assertThat(text("apps/v1", "DaemonSet"))
                .contains(
                        "\"metadata\":{\"annotations\":"
                                + "{\"deprecated.daemonset.template.generation\":\"0\"}}");
    }

    @Test
    void coversEveryKindOfTheTables() {
        SchemaTables.shared()
                .kinds()
                .forEach((apiVersion, kinds) ->
                        kinds.keySet()
                                .forEach(kind ->
                                        assertThat(text(apiVersion, kind))
                                                .startsWith("{\"kind\":\"" + kind)
                                                .doesNotContain("creationTimestamp")));
    }

    @Test
    void isEmptyForAnUnknownKind() {
        assertThat(zeros.of("v1", "Nonsense")).isEmpty();
    }

    private String text(String apiVersion, String kind) {
        return zeros.of(apiVersion, kind).map(Bytes::utf8).orElse("none");
    }
}
