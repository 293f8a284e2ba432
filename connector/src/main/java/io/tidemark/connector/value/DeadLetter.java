package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/**
 * A value that is not in the mirror as it should be, and why.
 *
 * @param value its raw bytes; empty for a Secret, whether Secrets are mirrored or not
 * @param valueBytes how many it has
 * @param why for people, such as "malformed JSON: no member name at byte 17"
 */
public record DeadLetter(
        long epoch,
        long revision,
        Bytes key,
        Bytes value,
        int valueBytes,
        UnreadableReason reason,
        String why) {}
