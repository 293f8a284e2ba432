/**
 * The rows of a Table: the cells of each kind that {@code kubectl get} prints. Start with {@link
 * io.tidemark.query.table.RowCells}; {@link io.tidemark.query.table.GoJson} prints JSON trees as an
 * API server does, here and for other representations.
 */
@NullMarked
package io.tidemark.query.table;

import org.jspecify.annotations.NullMarked;
