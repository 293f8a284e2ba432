/**
 * What goes over the wire: the options of a request, continue tokens, and the framing of lists and
 * events around stored bytes. No I/O of its own. Depends on partition views, the catalogue,
 * refusals and the table package's renderers.
 */
@NullMarked
package io.tidemark.query.wire;

import org.jspecify.annotations.NullMarked;
