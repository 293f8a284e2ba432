package io.tidemark.kubernetes.schema;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All decodable kinds, by apiVersion and kind. Immutable once loaded. */
public final class Schema {
    private final Map<String, Map<String, MessageType>> kinds;
    private final Map<String, MessageType> messages;

    private final String fingerprint;

    Schema(
            Map<String, Map<String, MessageType>> kinds,
            Map<String, MessageType> messages,
            String fingerprint) {
        this.fingerprint = fingerprint;
        Map<String, Map<String, MessageType>> copy = new HashMap<>();
        kinds.forEach((apiVersion, byKind) -> copy.put(apiVersion, Map.copyOf(byKind)));
        this.kinds = Map.copyOf(copy);
        this.messages = Map.copyOf(messages);
    }

    /** The type of a kind; null when the tables lack it. */
    public @Nullable MessageType kind(String apiVersion, String kind) {
        Map<String, MessageType> group = kinds.get(apiVersion);
        return group == null ? null : group.get(kind);
    }

    /** By apiVersion, then by kind. Immutable. */
    public Map<String, Map<String, MessageType>> kinds() {
        return kinds;
    }

    /** Differs from that of other tables. */
    public String fingerprint() {
        return fingerprint;
    }

    /** By full name, for example {@code core.v1.PodSpec}. */
    public Map<String, MessageType> messages() {
        return messages;
    }
}
