/**
 * What the commands start in this JVM: a broker, a connector, a node. Start with {@link
 * io.tidemark.standalone.part.NodePart}.
 */
@NullMarked
package io.tidemark.standalone.part;

import org.jspecify.annotations.NullMarked;
