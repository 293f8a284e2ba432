/**
 * Parses label and field selectors into requirements, and declarations of indexed fields. Start
 * with {@link io.tidemark.query.select.LabelSelectors} and {@link
 * io.tidemark.query.select.FieldSelectors}.
 */
@NullMarked
package io.tidemark.query.select;

import org.jspecify.annotations.NullMarked;
