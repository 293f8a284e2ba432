/**
 * The rows of a Table: the cells of each kind that {@code kubectl get} prints. Start with {@link
 * io.tidemark.query.table.RowCells}.
 */
@NullMarked
package io.tidemark.query.table;

import org.jspecify.annotations.NullMarked;
