/**
 * What a one-machine setup and the tests need around Tidemark: a Kafka broker in this JVM and a
 * real etcd as a child process. Knows nothing of the other modules.
 */
@NullMarked
package io.tidemark.local;

import org.jspecify.annotations.NullMarked;
