/** A cluster for tests: an etcd that is a list of changes, mirrored into stores in memory. */
@NullMarked
package io.tidemark.query.testing;

import org.jspecify.annotations.NullMarked;
