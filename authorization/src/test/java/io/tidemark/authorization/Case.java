package io.tidemark.authorization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A question to an evaluator, as raw JSON.
 *
 * @param objects Roles, ClusterRoles, RoleBindings and ClusterRoleBindings
 * @param user {@code name} and {@code groups}
 * @param request {@code verb} with {@code path}, or with {@code apiGroup}, {@code resource}, {@code
 *     subresource}, {@code namespace} and {@code name}; an absent one is empty
 */
record Case(
        List<Map<String, Object>> objects, Map<String, Object> user, Map<String, String> request) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param problems texts about roles of the user's bindings; not compared for what is allowed
     */
    record Answer(boolean allowed, Set<String> problems) {
        static Answer allow() {
            return new Answer(true, Set.of());
        }

        static Answer deny(Set<String> problems) {
            return new Answer(false, problems);
        }
    }

    static byte[] bytes(Object json) {
        try {
            return JSON.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("user " + user + "\nrequest " + request);
        objects.forEach(object -> text.append('\n').append(object));
        return text.toString();
    }
}
