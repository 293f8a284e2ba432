/** The mirror topic and its dead letters as Kafka topics: their settings, made and checked. */
@NullMarked
package io.tidemark.connector.topic;

import org.jspecify.annotations.NullMarked;
