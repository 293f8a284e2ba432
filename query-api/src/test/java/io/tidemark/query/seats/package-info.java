@NullMarked
package io.tidemark.query.seats;

import org.jspecify.annotations.NullMarked;
