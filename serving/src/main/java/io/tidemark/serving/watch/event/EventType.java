package io.tidemark.serving.watch.event;

import java.nio.charset.StandardCharsets;

/** The type of a watch event, by its name on the wire. */
public enum EventType {
    ADDED,
    MODIFIED,
    DELETED,
    /** Carries no object: all events through its resourceVersion have been sent. */
    BOOKMARK,
    /** Carries a Status; the watch has ended. */
    ERROR;

    private static final byte[] END = {'}', '\n'};

    private final byte[] start =
            ("{\"type\":\"" + name() + "\",\"object\":").getBytes(StandardCharsets.UTF_8);

    /** The bytes before the object in an event's line. Not cloned: for reading only. */
    public byte[] start() {
        return start;
    }

    /** The bytes after the object. Not cloned: for reading only. */
    public static byte[] end() {
        return END;
    }

    /** The whole line of an event. */
    public byte[] line(byte[] object) {
        byte[] line = new byte[start.length + object.length + END.length];
        System.arraycopy(start, 0, line, 0, start.length);
        System.arraycopy(object, 0, line, start.length, object.length);
        System.arraycopy(END, 0, line, start.length + object.length, END.length);
        return line;
    }
}
