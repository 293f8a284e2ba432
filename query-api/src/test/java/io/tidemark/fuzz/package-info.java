/**
 * Generated requests, sane and hostile, over raw sockets against a whole query node that serves
 * several tenants.
 */
@NullMarked
package io.tidemark.fuzz;

import org.jspecify.annotations.NullMarked;
