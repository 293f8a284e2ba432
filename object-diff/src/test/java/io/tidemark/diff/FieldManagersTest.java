package io.tidemark.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FieldManagersTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String BEFORE =
            """
            {"metadata":{"labels":{"a/b":"1"},"finalizers":["x"],"managedFields":[%s]},
             "spec":{"replicas":1,"args":["1"],"containers":[
               {"name":"app","image":"old","ports":[{"containerPort":80,"protocol":"TCP"}]}]},
             "status":{"ready":0}}\
            """;
    private static final String AFTER =
            """
            {"metadata":{"labels":{"a/b":"2"},"finalizers":["x","y"],"managedFields":[%s]},
             "spec":{"args":["2"],"containers":[
               {"name":"app","image":"new","ports":[{"containerPort":80,"protocol":"TCP","hostPort":1}]}]},
             "status":{"ready":1}}\
            """;

    private static final String HELM =
            entry(
                    "helm",
                    "2026-11-21T10:00:00Z",
                    """
                    {"f:metadata":{"f:labels":{".":{},"f:a/b":{}},"f:finalizers":{"v:\\"y\\"":{}}},
                     "f:spec":{"f:args":{},"f:containers":{"k:{\\"name\\":\\"app\\"}":{".":{},"f:image":{},
                      "f:ports":{"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{"f:hostPort":{}}}}}}}\
                    """);
    private static final String KUBECTL =
            entry(
                    "kubectl-edit",
                    "2026-11-21T11:00:00Z",
                    """
                    {"f:spec":{"f:containers":{"k:{\\"name\\":\\"app\\"}":{"f:image":{}}}}}\
                    """);
    private static final String KUBELET =
            entry("kubelet", "2026-11-21T09:00:00Z", "{\"f:status\":{\"f:ready\":{}}}");

    private static String entry(String manager, String time, String fields) {
        return """
        {"manager":"%s","operation":"Update","time":"%s","fieldsType":"FieldsV1","fieldsV1":%s}\
        """
                .formatted(manager, time, fields.replace("\\\"", "\\\""));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (Exception e) {
            throw new AssertionError(text, e);
        }
    }

    @Test
    void namesTheManagerOfEachChangedField() {
        JsonNode before = json(BEFORE.formatted(KUBELET));
        JsonNode after = json(AFTER.formatted(String.join(",", HELM, KUBECTL, KUBELET)));
        FieldManagers managers = FieldManagers.of(after);
        Map<String, String> byPath = new TreeMap<>();
        for (Difference each : FieldDiff.between(before, after, false)) {
            byPath.put(each.path().toString(), managers.of(each.path()).orElse(""));
        }
        assertThat(byPath)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "metadata.labels[\"a/b\"]", "helm",
                                "metadata.finalizers[1]", "helm",
                                "spec.args[0]", "helm",
                                "spec.containers[name=app].image", "kubectl-edit",
                                "spec.containers[name=app].ports[0].hostPort", "helm",
                                "spec.replicas", "",
                                "status.ready", "kubelet"));
        assertThat(managers.latestSince(before)).contains("kubectl-edit");
    }

    @Test
    void knowsNoneWithoutValidManagedFields() {
        for (String fields :
                List.of(
                        "",
                        "1",
                        "{\"manager\":\"x\"}",
                        "{\"manager\":\"x\",\"fieldsV1\":[]}",
                        entry("x", "t", "{\"f:spec\":{\"f:containers\":{\"k:nonsense\":{}}}}"))) {
            JsonNode after = json(AFTER.formatted(fields));
            JsonNode before = json(BEFORE.formatted(""));
            for (Difference each : FieldDiff.between(before, after, false)) {
                assertThat(FieldManagers.of(after).of(each.path())).as(fields).isEmpty();
            }
        }
    }
}
