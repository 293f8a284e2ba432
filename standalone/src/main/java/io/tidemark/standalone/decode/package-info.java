/** What a single value of etcd says, for people who look at one. Pure. */
@NullMarked
package io.tidemark.standalone.decode;

import org.jspecify.annotations.NullMarked;
