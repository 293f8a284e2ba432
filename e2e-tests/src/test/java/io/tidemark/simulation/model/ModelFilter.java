package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated client requests: the oracle's independent model of prefixes and selectors.
 *
 * @param prefix keys must start with it; a whole key for a GET
 * @param objectsOnly omit values that are no Kubernetes object
 * @param labels that must have exactly these values
 */
public record ModelFilter(Bytes prefix, boolean objectsOnly, Map<String, String> labels) {
    public ModelFilter {
        labels = Map.copyOf(labels);
    }

    public boolean matches(@Nullable Version version) {
        return version != null
                && version.key().startsWith(prefix)
                && (!objectsOnly || version.payload().object())
                && labels.entrySet().stream()
                        .allMatch(required ->
                                required.getValue()
                                        .equals(version.payload().labels().get(required.getKey())));
    }
}
