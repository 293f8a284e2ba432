/**
 * What nodes say to each other, as bytes: questions to a partition view, their answers, and where
 * copies stand. Pure; who carries the bytes does not matter here.
 */
@NullMarked
package io.tidemark.peer.wire;

import org.jspecify.annotations.NullMarked;
