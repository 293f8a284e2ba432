package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import org.jspecify.annotations.Nullable;

/**
 * What one key's change becomes.
 *
 * @param change for the mirror topic; null when only a dead letter comes of it
 * @param deadLetter null when all is well
 */
public record MirrorEntry(Bytes key, @Nullable Change change, @Nullable DeadLetter deadLetter) {}
