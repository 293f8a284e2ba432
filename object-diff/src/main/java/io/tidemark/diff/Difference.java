package io.tidemark.diff;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * One field that differs.
 *
 * @param path such as {@code spec.containers[name=app].image}
 * @param before null if the field was added
 * @param after null if the field was removed
 */
public record Difference(FieldPath path, @Nullable JsonNode before, @Nullable JsonNode after) {}
