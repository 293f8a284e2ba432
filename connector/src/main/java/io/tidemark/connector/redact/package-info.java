/**
 * Redaction rules: which values of which resources never reach Kafka. Pure. Start with {@link
 * io.tidemark.connector.redact.Redactor}.
 */
@NullMarked
package io.tidemark.connector.redact;

import org.jspecify.annotations.NullMarked;
