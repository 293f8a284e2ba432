/**
 * Shares the node among its users: each request takes seats by what it costs, of a bounded number,
 * and waits for them in a fair queue. Start with {@link io.tidemark.query.seats.Seats}.
 */
@NullMarked
package io.tidemark.query.seats;

import org.jspecify.annotations.NullMarked;
