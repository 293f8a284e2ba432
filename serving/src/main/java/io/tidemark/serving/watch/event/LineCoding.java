package io.tidemark.serving.watch.event;

/**
 * Makes what is sent for a line, such as its compressed bytes. Watches with the same coding, by
 * identity, and the same form share what it made. Thread-safe.
 *
 * @param <L> what it makes of a line
 */
public interface LineCoding<L extends CodedLine> {
    /** Sends lines as they were encoded. */
    LineCoding<CodedLine.Plain> PLAIN =
            new LineCoding<>() {
                @Override
                public CodedLine.Plain encode(byte[] line) {
                    return new CodedLine.Plain(line);
                }

                @Override
                public Class<CodedLine.Plain> type() {
                    return CodedLine.Plain.class;
                }
            };

    /** Encodes one line, independently of the lines before it. */
    L encode(byte[] line);

    /** The class of what it makes. */
    Class<L> type();
}
