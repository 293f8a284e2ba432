/**
 * Encryption of Secrets: the keys, the sealed form of bytes, and that of a put in the mirror topic.
 * Pure: reading a key file is the caller's part.
 */
@NullMarked
package io.tidemark.record.secret;

import org.jspecify.annotations.NullMarked;
