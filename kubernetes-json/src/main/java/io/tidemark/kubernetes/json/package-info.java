/**
 * JSON text exactly as Go's {@code encoding/json} prints it, over byte arrays: a bounded output
 * buffer, a validator and compactor for embedded JSON, and number printing. Start with {@link
 * io.tidemark.kubernetes.json.JsonBuffer}.
 */
@NullMarked
package io.tidemark.kubernetes.json;

import org.jspecify.annotations.NullMarked;
