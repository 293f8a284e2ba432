package io.tidemark.query.audit;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.json.JsonBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * One line of the audit log, an Event of {@code audit.k8s.io/v1}.
 *
 * @param id the same for all stages of a request
 * @param caller who authenticated; empty if that failed
 * @param impersonated for whom the request was made, if not for the caller
 * @param status of the response; 0 before it
 * @param message of a failed response; empty otherwise
 * @param annotations such as the decision
 */
record AuditEvent(
        UUID id,
        AuditStage stage,
        AuditedRequest request,
        RequestAttributes attributes,
        Optional<Caller> caller,
        Optional<Caller> impersonated,
        int status,
        String message,
        Instant time,
        Map<String, String> annotations) {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static final int MAX_AGENT = 1024;

    /**
     * Ends with a line feed, and has no other line break: JSON escapes control characters, and this
     * the one that JSON allows.
     */
    byte[] line() {
        byte[] json = json();
        for (int i = 0; i < json.length; i++) {
            if (isNextLine(json, i)) {
                return escaped(json);
            }
        }
        return json;
    }

    /** Whether the UTF-8 of U+0085 begins, where some readers of lines end one. */
    private static boolean isNextLine(byte[] json, int at) {
        return json[at] == (byte) 0xc2 && at + 1 < json.length && json[at + 1] == (byte) 0x85;
    }

    private static byte[] escaped(byte[] json) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 64);
        for (int i = 0; i < json.length; i++) {
            if (isNextLine(json, i)) {
                out.writeBytes("\\u0085".getBytes(StandardCharsets.US_ASCII));
                i++;
            } else {
                out.write(json[i]);
            }
        }
        return out.toByteArray();
    }

    private byte[] json() {
        JsonBuffer out = new JsonBuffer(1024, Integer.MAX_VALUE);
        out.put("{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Metadata\"");
        member(out, "auditID", id.toString());
        member(out, "stage", stage.text());
        member(out, "requestURI", request.uri());
        member(out, "verb", attributes.verb());
        out.put(",\"user\":");
        caller.ifPresentOrElse(user -> user(out, user), () -> out.put("{}"));
        impersonated.ifPresent(user -> {
            out.put(",\"impersonatedUser\":");
            user(out, user);
        });
        out.put(",\"sourceIPs\":");
        strings(out, request.sources());
        if (!request.userAgent().isEmpty()) {
            member(out, "userAgent", shortened(request.userAgent()));
        }
        if (attributes instanceof ResourceRequest objects && !objects.resource().isEmpty()) {
            objectRef(out, objects);
        }
        if (status > 0) {
            out.put(",\"responseStatus\":{\"metadata\":{}");
            if (status >= 400) {
                member(out, "status", "Failure");
            }
            optional(out, "message", message);
            out.put(",\"code\":");
            out.number(status);
            out.put('}');
        }
        member(out, "requestReceivedTimestamp", MICROS.format(request.received()));
        member(out, "stageTimestamp", MICROS.format(time));
        if (!annotations.isEmpty()) {
            out.put(",\"annotations\":{");
            String separator = "";
            for (Map.Entry<String, String> each : new TreeMap<>(annotations).entrySet()) {
                out.put(separator);
                out.string(each.getKey());
                out.put(':');
                out.string(each.getValue());
                separator = ",";
            }
            out.put('}');
        }
        out.put("}\n");
        return out.toByteArray();
    }

    private static void user(JsonBuffer out, Caller user) {
        out.put("{\"username\":");
        out.string(user.name());
        optional(out, "uid", user.uid());
        if (!user.groups().isEmpty()) {
            out.put(",\"groups\":");
            strings(out, user.groups());
        }
        if (!user.extra().isEmpty()) {
            out.put(",\"extra\":{");
            String separator = "";
            for (Map.Entry<String, List<String>> each : new TreeMap<>(user.extra()).entrySet()) {
                out.put(separator);
                out.string(each.getKey());
                out.put(':');
                strings(out, each.getValue());
                separator = ",";
            }
            out.put('}');
        }
        out.put('}');
    }

    private static void objectRef(JsonBuffer out, ResourceRequest objects) {
        out.put(",\"objectRef\":{\"resource\":");
        out.string(objects.resource());
        optional(out, "namespace", objects.namespace());
        optional(out, "name", objects.name());
        optional(out, "apiGroup", objects.apiGroup());
        optional(out, "apiVersion", objects.version());
        optional(out, "subresource", objects.subresource());
        out.put('}');
    }

    private static void strings(JsonBuffer out, List<String> texts) {
        out.put('[');
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                out.put(',');
            }
            out.string(texts.get(i));
        }
        out.put(']');
    }

    private static void optional(JsonBuffer out, String name, String text) {
        if (!text.isEmpty()) {
            member(out, name, text);
        }
    }

    private static void member(JsonBuffer out, String name, String text) {
        out.put(",\"" + name + "\":");
        out.string(text);
    }

    private static String shortened(String agent) {
        return agent.length() <= MAX_AGENT ? agent : agent.substring(0, MAX_AGENT) + "...TRUNCATED";
    }
}
