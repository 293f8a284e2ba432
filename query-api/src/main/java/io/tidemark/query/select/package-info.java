/**
 * Label and field selectors as a request spells them, made requirements of a selection. Depends on
 * the catalogue, on partition views and on refusals.
 */
@NullMarked
package io.tidemark.query.select;

import org.jspecify.annotations.NullMarked;
