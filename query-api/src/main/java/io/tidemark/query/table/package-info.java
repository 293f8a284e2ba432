/**
 * The forms an object may be asked in: JSON, YAML, Table, metadata only. Depends on the catalogue,
 * on partition views and on refusals.
 */
@NullMarked
package io.tidemark.query.table;

import org.jspecify.annotations.NullMarked;
