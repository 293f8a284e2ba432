/**
 * What an etcd value becomes in the mirror: canonical JSON, or its raw bytes and why. Pure, and
 * safe on any bytes: nothing here throws because of what a value holds.
 */
@NullMarked
package io.tidemark.connector.value;

import org.jspecify.annotations.NullMarked;
