/**
 * Sends generated requests, valid and hostile, over raw sockets to a query node with several
 * tenants. Start with {@link io.tidemark.fuzz.FuzzHttpTest}.
 */
@NullMarked
package io.tidemark.fuzz;

import org.jspecify.annotations.NullMarked;
