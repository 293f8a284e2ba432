package io.tidemark.serving.status;

import io.tidemark.json.JsonBuffer;
import io.tidemark.serving.status.StatusException.Cause;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a failure Status as JSON, its members in the API server's order: people and tests compare
 * these documents.
 */
public final class StatusWriter {
    private StatusWriter() {}

    /** One compact document without a line feed. */
    public static byte[] write(FailureStatus refusal) {
        StringBuilder out = new StringBuilder(256);
        write(out, document(refusal));
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> document(FailureStatus refusal) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("kind", "Status");
        status.put("apiVersion", "v1");
        status.put(
                "metadata",
                refusal.continueToken().isEmpty()
                        ? Map.of()
                        : Map.of("continue", refusal.continueToken()));
        status.put("status", "Failure");
        status.put("message", refusal.message());
        if (!refusal.reason().isEmpty()) {
            status.put("reason", refusal.reason());
        }
        if (hasDetails(refusal)) {
            status.put("details", details(refusal));
        }
        status.put("code", refusal.code());
        return status;
    }

    /** Also true for empty details, which an entry without a name stands for. */
    static boolean hasDetails(FailureStatus refusal) {
        return !details(refusal).isEmpty() || refusal.details().containsKey("");
    }

    private static Map<String, Object> details(FailureStatus refusal) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (String known : List.of("name", "group", "kind", "uid")) {
            String value = refusal.details().getOrDefault(known, "");
            if (!value.isEmpty()) {
                details.put(known, value);
            }
        }
        for (Map.Entry<String, String> detail : new TreeMap<>(refusal.details()).entrySet()) {
            if (!detail.getValue().isEmpty()) {
                details.putIfAbsent(detail.getKey(), detail.getValue());
            }
        }
        if (!refusal.causes().isEmpty()) {
            details.put("causes", refusal.causes().stream().map(StatusWriter::cause).toList());
        }
        if (refusal.retryAfterSeconds() > 0) {
            details.put("retryAfterSeconds", refusal.retryAfterSeconds());
        }
        return details;
    }

    private static Map<String, Object> cause(Cause cause) {
        Map<String, Object> written = new LinkedHashMap<>();
        if (!cause.reason().isEmpty()) {
            written.put("reason", cause.reason());
        }
        written.put("message", cause.message());
        if (!cause.field().isEmpty()) {
            written.put("field", cause.field());
        }
        return written;
    }

    private static void write(StringBuilder out, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                char before = '{';
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(before).append(JsonBuffer.quoted(entry.getKey().toString()));
                    write(out.append(':'), entry.getValue());
                    before = ',';
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                char before = '[';
                for (Object element : list) {
                    write(out.append(before), element);
                    before = ',';
                }
                out.append(list.isEmpty() ? "[]" : "]");
            }
            case Number number -> out.append(number);
            default -> out.append(JsonBuffer.quoted(value.toString()));
        }
    }
}
