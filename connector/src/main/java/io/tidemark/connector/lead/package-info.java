/** Which of several connectors writes. */
@NullMarked
package io.tidemark.connector.lead;

import org.jspecify.annotations.NullMarked;
