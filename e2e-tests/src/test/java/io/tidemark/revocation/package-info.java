/** A change of rights while many watches of a real node are open. */
@NullMarked
package io.tidemark.revocation;

import org.jspecify.annotations.NullMarked;
