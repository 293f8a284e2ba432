package io.tidemark.serving.watch.event;

/** What is sent for a line of a watch. */
public interface CodedLine {
    /** The bytes to send, at least one. Shared between watchers: for reading only. */
    byte[] bytes();

    /** A line that is sent as it was encoded. */
    record Plain(byte[] bytes) implements CodedLine {}
}
