package io.tidemark.deploy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Checks manifests against the models that client libraries were generated from: fields that do not
 * exist, required ones that are missing, and values of another type.
 */
final class ManifestSchemas {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final Map<String, Check> KUBERNETES =
            Map.of(
                    "apps/v1 StatefulSet", V1StatefulSet::validateJsonElement,
                    "apps/v1 Deployment", V1Deployment::validateJsonElement,
                    "v1 Service", V1Service::validateJsonElement,
                    "v1 ServiceAccount", V1ServiceAccount::validateJsonElement,
                    "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
                    "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
                    "rbac.authorization.k8s.io/v1 ClusterRole", V1ClusterRole::validateJsonElement,
                    "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
                            V1ClusterRoleBinding::validateJsonElement);

    private static final Map<String, Class<?>> OTHERS =
            Map.of(
                    "monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class,
                    "monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class,
                    "kafka.strimzi.io/v1beta2 KafkaTopic", KafkaTopic.class,
                    "kafka.strimzi.io/v1beta2 KafkaUser", KafkaUser.class);

    private ManifestSchemas() {}

    private interface Check {
        void validate(JsonElement manifest) throws IOException;
    }

    /** Why a manifest is not one of its kind; empty when it is. */
    static Optional<String> problem(JsonNode manifest) {
        String kind = manifest.path("apiVersion").asText() + " " + manifest.path("kind").asText();
        try {
            if (KUBERNETES.containsKey(kind)) {
                KUBERNETES.get(kind).validate(JsonParser.parseString(manifest.toString()));
                return Optional.empty();
            }
            if (OTHERS.containsKey(kind)) {
                return unknown(JSON.treeToValue(manifest, OTHERS.get(kind)), kind, 0);
            }
            return Optional.of("no schema of " + kind);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(kind + ": " + e.getMessage());
        }
    }

    /** These models keep unknown fields aside instead of refusing them. */
    private static Optional<String> unknown(Object model, String path, int depth) {
        if (model == null || depth > 20) {
            return Optional.empty();
        }
        if (model instanceof Iterable<?> all) {
            for (Object each : all) {
                Optional<String> found = unknown(each, path + "[]", depth + 1);
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        }
        String name = model.getClass().getName();
        if (!name.startsWith("io.strimzi") && !name.startsWith("io.fabric8")) {
            return Optional.empty();
        }
        for (var method : model.getClass().getMethods()) {
            if (!method.getName().startsWith("get") || method.getParameterCount() > 0) {
                continue;
            }
            try {
                Object value = method.invoke(model);
                if (method.getName().equals("getAdditionalProperties")) {
                    if (value instanceof Map<?, ?> more && !more.isEmpty()) {
                        return Optional.of(path + ": unknown fields " + more.keySet());
                    }
                } else {
                    Optional<String> found =
                            unknown(value, path + "." + method.getName(), depth + 1);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return Optional.empty();
    }
}
