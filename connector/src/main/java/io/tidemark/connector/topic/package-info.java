/**
 * Creates and checks the mirror topic and its dead-letter topic. Start with {@link
 * io.tidemark.connector.topic.MirrorTopics}.
 */
@NullMarked
package io.tidemark.connector.topic;

import org.jspecify.annotations.NullMarked;
