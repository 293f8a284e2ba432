/**
 * What is wrong with a setup, and what to do about it. Each check looks at one neighbour and
 * answers findings; nothing here changes anything.
 */
@NullMarked
package io.tidemark.standalone.doctor;

import org.jspecify.annotations.NullMarked;
