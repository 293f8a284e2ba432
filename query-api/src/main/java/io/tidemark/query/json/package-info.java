/** Reads JSON as trees, and writes it as an API server does. */
@NullMarked
package io.tidemark.query.json;

import org.jspecify.annotations.NullMarked;
