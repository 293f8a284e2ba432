package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/**
 * A value that could not be mirrored properly, with the reason.
 *
 * @param value its raw bytes; empty for a Secret, whether Secrets are mirrored or not, and where a
 *     redaction rule applies
 * @param valueBytes the value's original length
 * @param why for people, such as "malformed JSON: unexpected end of JSON input at byte 17"
 */
public record DeadLetter(
        long epoch,
        long revision,
        Bytes key,
        Bytes value,
        int valueBytes,
        UnreadableReason reason,
        String why) {}
