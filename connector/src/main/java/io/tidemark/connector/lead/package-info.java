/**
 * Election of the connector that writes a topic. Start with {@link
 * io.tidemark.connector.lead.Leadership}.
 */
@NullMarked
package io.tidemark.connector.lead;

import org.jspecify.annotations.NullMarked;
