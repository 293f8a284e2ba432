/**
 * Groups of objects that lists share, compressed: where a group ends, what it is known by, and
 * which of its objects have to be read. Start with {@link io.tidemark.query.group.ObjectGroup}.
 */
@NullMarked
package io.tidemark.query.group;

import org.jspecify.annotations.NullMarked;
