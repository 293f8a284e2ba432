/** Tests of the stored form of objects and of selections. */
@NullMarked
package io.tidemark.view;

import org.jspecify.annotations.NullMarked;
