/**
 * JSON text exactly as Go's {@code encoding/json} prints it, over byte arrays: a bounded output
 * buffer, a checker and compactor for embedded JSON, and number printing.
 */
@NullMarked
package io.tidemark.kubernetes.json;

import org.jspecify.annotations.NullMarked;
