/**
 * LIST: the requested revision, its pages, and what remains. Start with {@link
 * io.tidemark.query.http.list.ListService}.
 */
@NullMarked
package io.tidemark.query.http.list;

import org.jspecify.annotations.NullMarked;
