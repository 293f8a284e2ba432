package io.tidemark.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What every Pod must keep: the restricted Pod Security Standard, probes, limits, and no token that
 * it does not need.
 */
final class PodPolicy {
    private PodPolicy() {}

    /** What a manifest breaks; nothing for kinds without Pods. */
    static List<String> broken(JsonNode manifest) {
        List<String> broken = new ArrayList<>();
        JsonNode pod = manifest.at("/spec/template/spec");
        if (!pod.isObject()) {
            return broken;
        }
        JsonNode security = pod.path("securityContext");
        require(broken, security.path("runAsNonRoot").asBoolean(), "runs as root");
        require(broken, security.path("runAsUser").asLong() > 0, "has no user");
        require(
                broken,
                security.at("/seccompProfile/type").asText().equals("RuntimeDefault"),
                "has no seccomp profile");
        require(
                broken,
                pod.path("automountServiceAccountToken").isBoolean()
                        && !pod.path("automountServiceAccountToken").asBoolean(),
                "mounts a token");
        for (String field : new String[] {"hostNetwork", "hostPID", "hostIPC"}) {
            require(broken, !pod.path(field).asBoolean(), "shares " + field);
        }
        for (JsonNode volume : pod.path("volumes")) {
            require(broken, !volume.has("hostPath"), "mounts a folder of its host");
        }
        require(
                broken,
                pod.path("terminationGracePeriodSeconds").asInt() >= 20,
                "has no time to shut down");
        require(broken, pod.path("topologySpreadConstraints").size() > 0, "is not spread");
        require(broken, pod.path("containers").size() > 0, "has no container");
        for (JsonNode container : pod.path("containers")) {
            container(broken, container);
        }
        return broken;
    }

    private static void container(List<String> broken, JsonNode container) {
        JsonNode security = container.path("securityContext");
        require(
                broken,
                security.has("allowPrivilegeEscalation")
                        && !security.path("allowPrivilegeEscalation").asBoolean(),
                "may gain privileges");
        require(broken, !security.path("privileged").asBoolean(), "is privileged");
        require(
                broken,
                security.path("readOnlyRootFilesystem").asBoolean(),
                "can write its root file system");
        require(
                broken,
                security.at("/capabilities/drop").toString().equals("[\"ALL\"]")
                        && !security.at("/capabilities").has("add"),
                "has capabilities");
        for (String probe : new String[] {"startupProbe", "livenessProbe", "readinessProbe"}) {
            require(broken, container.path(probe).isObject(), "has no " + probe);
        }
        JsonNode resources = container.path("resources");
        require(broken, resources.at("/limits/memory").isTextual(), "has no limit of memory");
        require(
                broken,
                resources.at("/limits/memory").equals(resources.at("/requests/memory")),
                "may use memory that it did not request");
        require(broken, resources.at("/requests/cpu").isTextual(), "requests no processor");
        require(
                broken,
                !container.path("image").asText().endsWith(":latest"),
                "runs an image that can change");
        for (JsonNode variable : container.path("env")) {
            require(
                    broken,
                    !variable.path("name").asText().equals("TIDEMARK_INSECURE"),
                    "is insecure");
        }
    }

    private static void require(List<String> broken, boolean kept, String problem) {
        if (!kept) {
            broken.add(problem);
        }
    }
}
