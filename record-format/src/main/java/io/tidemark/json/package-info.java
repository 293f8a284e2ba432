/**
 * JSON text over byte arrays, as Go's {@code encoding/json} reads and prints it: a strict scanner
 * ({@link io.tidemark.json.JsonScanner}), positions in text that is known to be valid ({@link
 * io.tidemark.json.ValidJson}, {@link io.tidemark.json.JsonMembers}), and a bounded output buffer
 * ({@link io.tidemark.json.JsonBuffer}).
 */
@NullMarked
package io.tidemark.json;

import org.jspecify.annotations.NullMarked;
