package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import org.jspecify.annotations.Nullable;

/**
 * The records that one key's change produces.
 *
 * @param change for the mirror topic; null when there is only a dead letter
 * @param deadLetter null when the value was decoded
 */
public record MirrorEntry(Bytes key, @Nullable Change change, @Nullable DeadLetter deadLetter) {}
