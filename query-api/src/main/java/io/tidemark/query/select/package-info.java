/**
 * Label and field selectors as a request spells them, made requirements of a selection; and the
 * fields that are declared to be indexed. Depends on the catalogue, on partition views, on keys of
 * the record format and on refusals.
 */
@NullMarked
package io.tidemark.query.select;

import org.jspecify.annotations.NullMarked;
