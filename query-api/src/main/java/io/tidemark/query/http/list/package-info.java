/**
 * LIST: the requested revision, its pages, and how many objects follow a page. Start with {@link
 * io.tidemark.query.http.list.ListService} and {@link io.tidemark.query.http.list.ListStart}.
 */
@NullMarked
package io.tidemark.query.http.list;

import org.jspecify.annotations.NullMarked;
